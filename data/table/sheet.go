package table

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"pacia/internal/badinput"
)

// start goes to the row below the header, or to the first.
func (w *workbook) start(r *Reader) (err error) {
	if w.raw, err = w.file.Rows(w.sheet); err != nil {
		return r.damagedWorkbook(err)
	}
	if w.hasDates() {
		if w.dated, err = w.file.Rows(w.sheet); err != nil {
			return r.damagedWorkbook(err)
		}
	}
	w.width = len(r.Header)
	for range w.header {
		if err := w.next(r, nil); err != nil {
			return err
		}
	}
	return nil
}

// hasDates reports whether a style of the workbook shows numbers as dates or times.
func (w *workbook) hasDates() bool {
	s := w.file.Styles
	if s == nil || s.CellXfs == nil {
		return false
	}
	dates := map[int]bool{}
	if s.NumFmts != nil {
		for _, f := range s.NumFmts.NumFmt {
			dates[f.NumFmtID] = strings.ContainsAny(strings.ToLower(f.FormatCode), "ydhms")
		}
	}
	for _, x := range s.CellXfs.Xf {
		// 14 to 22 and 45 to 47 are dates and times everywhere, 27 to 36 and 50 to 58 in East Asia.
		if id := x.NumFmtID; id != nil && (dates[*id] || *id >= 14 && *id <= 22 || *id >= 27 && *id <= 36 || *id >= 45 && *id <= 58) {
			return true
		}
	}
	return false
}

// next gives the next row, or passes over it where there is no place for it.
func (w *workbook) next(r *Reader, row *Row) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.damagedWorkbook(fmt.Errorf("%v", p))
		}
	}()
	if !w.raw.Next() || w.dated != nil && !w.dated.Next() {
		return io.EOF
	}
	if w.line++; row == nil {
		return nil
	}
	if w.line > maxRows {
		return &badinput.Error{File: r.Name, Row: w.line, What: fmt.Sprintf("more than %d rows", maxRows), Fix: "save the sheet as CSV"}
	}
	cells, err := w.raw.Columns()
	if err == nil && w.dated != nil {
		var shown []string
		if shown, err = w.dated.Columns(excelize.Options{}); err == nil {
			w.dates(cells, shown)
		}
	}
	if err != nil {
		return r.damagedWorkbook(err)
	}
	if cells = trimmed(cells); len(cells) > w.width {
		return r.errWidth(w.line, len(cells), ',')
	}
	for i, c := range cells {
		cells[i] = shortest(c)
	}
	row.Line, row.Fields = w.line, make([]string, w.width)
	copy(row.Fields, cells)
	return nil
}

// dates writes numbers that are shown as dates as ISO 8601 has them.
func (w *workbook) dates(cells, shown []string) {
	for i, cell := range cells[:min(len(cells), len(shown))] {
		if cell == shown[i] || strings.Count(shown[i], "/")+strings.Count(shown[i], "-")+strings.Count(shown[i], ":") < 1 {
			continue
		}
		days, err := strconv.ParseFloat(cell, 64)
		if err != nil || days < 0 {
			continue
		}
		if _, err := strconv.ParseFloat(shown[i], 64); err == nil {
			continue // a negative number, or one with an exponent
		}
		at, err := excelize.ExcelDateToTime(days, w.since1904)
		switch {
		case err != nil:
		case days < 1:
			cells[i] = at.Format("15:04:05")
		case days == float64(int64(days)):
			cells[i] = at.Format("2006-01-02")
		default:
			cells[i] = at.Format("2006-01-02 15:04:05")
		}
	}
}

// shortest writes a number that Excel has stored with 17 digits, such as
// 0.10000000000000001, with those that it takes. Other cells stay.
func shortest(cell string) string {
	if len(cell) < 17 || !strings.Contains(cell, ".") {
		return cell
	}
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	return strconv.FormatFloat(v, 'g', 15, 64)
}

func (w *workbook) close() error {
	var errs []error
	for _, rows := range []*excelize.Rows{w.raw, w.dated} {
		if rows != nil {
			errs = append(errs, rows.Close())
		}
	}
	return errors.Join(append(errs, w.file.Close())...)
}
