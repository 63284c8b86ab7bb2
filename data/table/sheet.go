package table

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// start moves to the row below the header, or to the first row without one.
func (w *workbook) start(r *Reader) (err error) {
	if w.raw, err = w.file.Rows(w.sheet); err != nil {
		return r.damagedWorkbook(err)
	}
	marked, err := w.mark()
	if err == nil && marked {
		w.dated, err = w.file.Rows(w.sheet)
	}
	if err != nil {
		return r.damagedWorkbook(err)
	}
	w.width = len(r.Header)
	w.named = each.Of(r.Header, NameLike)
	for range w.header {
		if err := w.next(r, nil); err != nil {
			return err
		}
	}
	return nil
}

// next reads the next row, or skips it if row is nil.
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
	if w.raw.GetRowOpts().Hidden {
		w.hidden = append(w.hidden, w.line)
	}
	if w.line > maxRows {
		return &badinput.Error{File: r.Name, Row: w.line, What: fmt.Sprintf("more than %d rows", maxRows), Fix: "save the sheet as CSV"}
	}
	cells, err := w.raw.Columns()
	if err == nil && w.dated != nil {
		var shown []string
		if shown, err = w.dated.Columns(excelize.Options{}); err == nil {
			row.units = w.asShown(cells, shown)
		}
	}
	if err != nil {
		return r.damagedWorkbook(err)
	}
	for i, text := range w.instead[w.line] {
		cells = append(cells, make([]string, max(0, i+1-len(cells)))...)
		cells[i] = text
	}
	cells, row.units = w.spread(r.SMILES, cells, row.units)
	if cells = trimmed(cells); len(cells) > w.width {
		row.Reason = fmt.Errorf("%d cells where the header has %d", len(cells), w.width)
	}
	for i, c := range cells {
		if w.cellBudget -= len(c); w.cellBudget < 0 || len(c) > longestCell && utf8.RuneCountInString(c) > longestCell {
			return &badinput.Error{File: r.Name, Row: w.line, What: "refused: its cells hold more than a workbook of this size can", Fix: "save the sheet as CSV, if it is what it should be"}
		}
		cells[i] = shortest(c)
	}
	row.Line, row.Fields = w.line, make([]string, w.width)
	copy(row.Fields, cells)
	return nil
}

// shortest shortens a number that Excel has stored with 16 or 17 digits, such as
// 0.10000000000000001, to 15 digits. Other cells, also texts with more digits, are unchanged.
func shortest(cell string) string {
	if n := significant(cell); n < 16 || n > 17 || !strings.Contains(cell, ".") {
		return cell
	}
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	return strconv.FormatFloat(v, 'g', 15, 64)
}

// significant counts the digits of a number without its leading zeros and its exponent.
func significant(cell string) int {
	mantissa := cell
	if at := strings.IndexAny(cell, "eE"); at >= 0 {
		mantissa = cell[:at]
	}
	return len(strings.TrimLeft(strings.Replace(strings.TrimLeft(mantissa, "+-"), ".", "", 1), "0"))
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
