package request

import (
	"strconv"
	"strings"

	"pacia/internal/badinput"
)

// parseShare parses the share of actives of --prior, such as 0.02 or 2 %. It returns 0 for an empty text.
func parseShare(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(number), ",", ".", 1), 64)
	if percent {
		share /= 100
	}
	if err == nil && share > 0 && share < 1 {
		return share, nil
	}
	e := &badinput.Error{What: "--prior " + badinput.Quote(text) + " is not a share of actives", Fix: "write a number between 0 and 1, such as 0.02, or per cent, such as 2%"}
	if percent {
		e.Fix = "write more than 0 % and less than 100 %, such as 2 %"
	}
	return 0, e
}
