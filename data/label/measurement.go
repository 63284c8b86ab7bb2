package label

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pacia/internal/badinput"
)

// A measurement is a value, perhaps only a bound of it.
type measurement struct {
	sign  byte // '=', '<' or '>'
	orEq  bool // the bound itself is possible: ≤ or ≥
	value float64
	unit  unit // without dimension where the cell names none
}

var errNumber = errors.New("not a number")

// signs in the order in which they are looked for.
var signs = []struct {
	text string
	sign byte
	orEq bool
}{
	{"<=", '<', true}, {"=<", '<', true}, {"≤", '<', true}, {">=", '>', true}, {"=>", '>', true}, {"≥", '>', true},
	{"<<", '<', false}, {">>", '>', false}, {"<", '<', false}, {">", '>', false},
	{"=", '=', false}, {"~", '=', false}, {"≈", '=', false}, {"ca.", '=', false},
}

// parseSign reads a sign alone, as it stands in a column of its own; nothing is "=".
func parseSign(text string) (sign byte, orEq, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "'\"")
	if text == "" {
		return '=', false, true
	}
	for _, s := range signs {
		if text == s.text {
			return s.sign, s.orEq, true
		}
	}
	return 0, false, false
}

// parseMeasurement reads a cell. comma says what commas and points in numbers are.
func parseMeasurement(cell string, comma byte) (measurement, error) {
	m := measurement{sign: '='}
	text := strings.TrimSpace(cell)
	for _, s := range signs {
		if rest, found := strings.CutPrefix(text, s.text); found {
			m.sign, m.orEq, text = s.sign, s.orEq, strings.TrimSpace(rest)
			break
		}
	}
	digits := numberLength(text)
	var err error
	if m.value, err = parseFloat(text[:digits], comma); err != nil {
		return m, fmt.Errorf("%s is no measurement", badinput.Quote(strings.TrimSpace(cell)))
	}
	rest := strings.TrimSpace(text[digits:])
	for _, between := range []string{"±", "+/-"} { // an error, which does not decide
		if after, found := strings.CutPrefix(rest, between); found {
			after = strings.TrimSpace(after)
			rest = strings.TrimSpace(after[numberLength(after):])
		}
	}
	u, ok := parseUnit(rest)
	if !ok {
		return m, fmt.Errorf("unit %s of %s is not known", badinput.Quote(rest), badinput.Quote(strings.TrimSpace(cell)))
	}
	m.unit = u
	return m, nil
}

// numberLength returns how many bytes at the beginning of text are a number.
func numberLength(text string) int {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '.', c == ',':
		case (c == '-' || c == '+') && (i == 0 || text[i-1] == 'e' || text[i-1] == 'E'):
		case (c == 'e' || c == 'E') && i > 0 && i+1 < len(text) && (text[i+1] == '-' || text[i+1] == '+' || text[i+1] >= '0' && text[i+1] <= '9'):
		default:
			return i
		}
	}
	return len(text)
}

// parseFloat reads a number; 0 for comma refuses commas.
func parseFloat(text string, comma byte) (float64, error) {
	if strings.IndexByte(text, ',') >= 0 {
		switch comma {
		case decimalComma, commaAlone:
			text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
		case decimalPoint:
			text = strings.ReplaceAll(text, ",", "")
		}
	} else if point := strings.LastIndexByte(text, '.'); comma == commaAlone && point > 0 && len(text)-point == 4 {
		text = strings.ReplaceAll(text, ".", "")
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, errNumber
	}
	return v, nil
}
