package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// formatMark and the number of a format are the text that replaces the format.
const formatMark = "format "

// mark replaces the format of each style that matters by one that shows its number in w.formats, because a formatted
// number, such as 5 nM/h, does not reveal its kind. It reports whether there are such styles. The stored values do
// not change.
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
	own := map[int]*int{}              // identifiers of the marks
	for i := range len(s.CellXfs.Xf) { // NewStyle appends
		id := s.CellXfs.Xf[i].NumFmtID
		if id == nil {
			continue
		}
		if _, seen := own[*id]; !seen {
			own[*id] = nil
			code, custom := codes[*id]
			if !custom {
				code = builtIn(*id)
			}
			if f := parseFormat(code); f.shows() {
				text := fmt.Sprintf(`"%s%d"`, formatMark, len(w.formats))
				style, err := w.file.NewStyle(&excelize.Style{CustomNumFmt: &text})
				if err != nil {
					return false, err
				}
				w.formats = append(w.formats, f)
				own[*id] = s.CellXfs.Xf[style].NumFmtID
			}
		}
		s.CellXfs.Xf[i].NumFmtID = own[*id]
	}
	return len(w.formats) > 0, nil
}

// builtIn returns a format of the same kind as the one that Excel knows by a number; empty if it shows numbers.
func builtIn(id int) string {
	switch {
	case id == 9 || id == 10:
		return "0%"
	case id >= 14 && id <= 22, id >= 45 && id <= 47, id >= 27 && id <= 36, id >= 50 && id <= 58:
		if id == 46 {
			return "[h]:mm:ss"
		}
		return "yyyy" // including the formats of East Asia
	}
	return ""
}

// asShown reads the numbers among cells by their formats: dates as in ISO 8601, durations as 120:00:00, percentages with %,
// numbers with the signs before them, and those of names as text. It returns the units that formats show; nil if there are none.
func (w *workbook) asShown(cells, shown []string) (units []string) {
	for i, cell := range cells[:min(len(cells), len(shown))] {
		text, marked := strings.CutPrefix(strings.TrimPrefix(shown[i], "-"), formatMark)
		at, err := strconv.Atoi(text)
		if !marked || err != nil || at < 0 || at >= len(w.formats) {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			continue
		}
		f, unit := w.formats[at], ""
		switch s := f.section(v); {
		case !s.date:
			cells[i], unit = f.read(cell, v, i < len(w.named) && w.named[i])
		case s.elapsed:
			cells[i] = duration(cell, v)
		case v >= 0:
			cells[i] = w.date(cell, v)
		}
		if unit != "" && units == nil {
			units = make([]string, len(cells))
		}
		if unit != "" {
			units[i] = unit
		}
	}
	return units
}

// duration returns a number of days as hours, minutes and seconds.
func duration(cell string, days float64) string {
	seconds := math.Round(math.Abs(days) * 24 * 60 * 60)
	if !(seconds < 1<<40) {
		return cell
	}
	sign, n := "", int64(seconds)
	if days < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%02d:%02d:%02d", sign, n/3600, n/60%60, n%60)
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
