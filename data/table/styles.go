package table

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"pacia/data/label"
)

// Texts that replace the formats of cells.
const (
	dateMark    = "date"
	percentMark = "percent"
	unitMark    = "unit " // and the unit
	signMark    = "sign " // and the sign, and a space and the mark of a unit if there is one
)

// mark replaces the format of each style for dates, times, percentages or concentrations by one that shows a mark,
// because a formatted number, such as 5 nM/h, does not reveal its kind. It reports whether there are such styles. The
// stored values do not change.
func (w *workbook) mark() (marked bool, err error) {
	s := w.file.Styles
	if s == nil || s.CellXfs == nil {
		return false, nil
	}
	codes := map[int]string{}
	if s.NumFmts != nil {
		for _, f := range s.NumFmts.NumFmt {
			codes[f.NumFmtID] = f.FormatCode
		}
	}
	own := map[string]*int{}           // formats of the marks
	for i := range len(s.CellXfs.Xf) { // NewStyle appends
		format := s.CellXfs.Xf[i].NumFmtID
		if format == nil {
			continue
		}
		mark := markOf(*format, codes)
		if mark == "" {
			s.CellXfs.Xf[i].NumFmtID = nil
			continue
		}
		if own[mark] == nil {
			code := `"` + mark + `"`
			style, err := w.file.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				return false, err
			}
			own[mark] = s.CellXfs.Xf[style].NumFmtID
		}
		s.CellXfs.Xf[i].NumFmtID = own[mark]
	}
	return len(own) > 0, nil
}

func markOf(format int, codes map[int]string) string {
	code, custom := codes[format]
	switch {
	case custom:
		return markOfCode(code)
	case format == 9 || format == 10:
		return percentMark
	case format >= 14 && format <= 22, format >= 45 && format <= 47, format >= 27 && format <= 36, format >= 50 && format <= 58:
		return dateMark // including the formats of East Asia
	}
	return ""
}

// literal matches the literal parts of a format: quoted and escaped text, padding, and colours
// and languages in brackets, but not hours, minutes or seconds in brackets.
var literal = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]hms][^\]]*\]`)

func markOfCode(format string) string {
	code, _, _ := strings.Cut(strings.ToLower(literal.ReplaceAllString(format, "")), ";")
	switch {
	case strings.Contains(code, "%"):
		return percentMark
	case strings.ContainsAny(code, "ydhms"):
		return dateMark
	}
	mark := ""
	if unit := unitOf(format); unit != "" {
		mark = unitMark + unit
	}
	if sign := leadingSign.FindStringSubmatch(format); sign != nil {
		mark = strings.TrimSpace(signMark + sign[1] + " " + mark)
	}
	return mark
}

// leadingSign matches the format of numbers that are shown behind a sign, such as > of ">"0.0. It does not match a
// format with a condition in brackets.
var leadingSign = regexp.MustCompile(`^(?:\[[^\]<>=]*\])*["\\]?\s*([<>≤≥~]=?)\s*"?\s*[0#?]`)

// scaling matches commas that divide a number by thousands, as those of 0.0,,.
var scaling = regexp.MustCompile(`[0#?],+(?:[^0#?,]|$)`)

// unitOf returns the concentration that a format shows behind its numbers, such as nM of 0.0" nM". It is empty if there
// is none, or if the unit depends on the number.
func unitOf(format string) string {
	unit := ""
	texts := literal.FindAllString(format, -1)
	for i := 0; i < len(texts); i++ {
		text := texts[i]
		switch text[0] {
		case '"':
			text = text[1 : len(text)-1]
		case '\\':
			text = text[1:]
		default:
			continue
		}
		text = strings.TrimSpace(text)
		switch {
		case text == "", strings.Trim(text, "<>≤≥~=") == "":
		case !label.IsUnit(text) || strings.Contains(text, "%") || unit != "" && text != unit:
			return ""
		default:
			unit = text
		}
	}
	if scaling.MatchString(literal.ReplaceAllString(format, " ")) {
		return ""
	}
	return unit
}

// asShown formats dates as in ISO 8601, percentages with %, and numbers with the signs before them. It returns the units
// that formats show; nil if there are none.
func (w *workbook) asShown(cells, shown []string) (units []string) {
	for i, cell := range cells[:min(len(cells), len(shown))] {
		mark, sign := shown[i], ""
		if rest, signed := strings.CutPrefix(mark, signMark); signed {
			sign, mark, _ = strings.Cut(rest, " ")
		}
		unit, found := strings.CutPrefix(mark, unitMark)
		if !found && sign == "" && mark != dateMark && mark != percentMark {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		switch {
		case err != nil || v < 0 && mark == dateMark:
		case found || sign != "":
			cells[i] = sign + cell
			if found {
				if units == nil {
					units = make([]string, len(cells))
				}
				units[i] = unit
			}
		case mark == percentMark:
			cells[i] = strconv.FormatFloat(v*100, 'g', 15, 64) + "%"
		default:
			cells[i] = w.date(cell, v)
		}
	}
	return units
}

func (w *workbook) date(cell string, days float64) string {
	at, err := excelize.ExcelDateToTime(days, w.since1904)
	switch {
	case err != nil:
		return cell
	case days < 1:
		return at.Format("15:04:05")
	case days == float64(int64(days)):
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02 15:04:05")
}
