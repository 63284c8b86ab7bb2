package main

import (
	"cmp"
	"fmt"

	"pacia/screen/ranking"
)

// potencyText describes the columns potency and predicted.
func potencyText(s *ranking.Support) string {
	text := fmt.Sprintf("by %s as a number: column potency is %s, with an interval of 80 %%", s.Column, s.Scale.Name(s.Column))
	if s.Scale.Log {
		text += "; column predicted is the same in " + cmp.Or(s.Scale.Unit, "the unit of the column")
	}
	return text
}
