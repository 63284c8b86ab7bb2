package table

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// formulaCell is a cell as a sheet stores it, as far as its formula matters.
type formulaCell struct {
	at, kind       string // its name, such as B3, and its type
	formula        bool
	plain          bool // the formula has no attributes, unlike one that is shared
	text, value    strings.Builder
	hasValue       bool
	inText, inside bool // a formula, or a value
}

// scanSheet finds what formulas and merged cells a sheet has. computes is that of partOf.
func scanSheet(sheet io.Reader, computes bool) (extras, error) {
	x := extras{instead: map[int]map[int]string{}, zero: map[int][]int{}, valued: map[int]bool{}}
	d := xml.NewDecoder(sheet)
	var c formulaCell
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			slices.SortStableFunc(x.merged, func(a, b merged) int { return a.top - b.top })
			return x, nil
		}
		if err != nil {
			return x, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "c":
				c = formulaCell{at: attribute(t, "r"), kind: attribute(t, "t")}
			case "f":
				c.formula, c.plain, c.inText = true, len(t.Attr) == 0, true
			case "v", "t":
				c.inside, c.hasValue = true, true
			case "mergeCell":
				x.merge(attribute(t, "ref"))
			}
		case xml.CharData:
			if c.inText && c.text.Len() == 0 {
				c.text.Write(t)
			} else if c.inside && c.value.Len() < longestCell {
				c.value.Write(t)
			}
		case xml.EndElement:
			c.inText, c.inside = false, false
			if t.Name.Local == "c" && c.formula {
				x.add(&c, computes)
			}
		}
	}
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// add adds the cell of a formula. xlsxwriter, below pandas and polars, and other libraries store 0 for each formula, and an
// empty one for the text "=".
func (x *extras) add(c *formulaCell, computes bool) {
	column, row, err := excelize.CellNameToCoordinates(c.at)
	if err != nil {
		return
	}
	column--
	value := strings.TrimSpace(c.value.String())
	number := c.kind == "" || c.kind == "n"
	text := ""
	switch {
	case c.plain && strings.TrimSpace(c.text.String()) == "" && number && value == "0":
		text = "="
	case value == "" && (c.kind != "str" || !c.hasValue):
		text = noValue
	case number && (value == "0" && computes || value == "0.0"): // as SXSSF of Apache POI writes it
		text = noValue
	case number && value == "0":
		x.zero[column] = append(x.zero[column], row)
	default:
		x.valued[column] = true
	}
	if text != "" {
		if x.instead[row] == nil {
			x.instead[row] = map[int]string{}
		}
		x.instead[row][column] = text
	}
}
