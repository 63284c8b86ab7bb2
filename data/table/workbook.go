package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/internal/scratch"
)

const (
	maxWorkbook = 256 << 20 // bytes of the packed file, which is kept in memory
	harmless    = 1 << 20   // unpacked bytes that any workbook may have
	mostTexts   = 256 << 20 // unpacked bytes of a part that is not a sheet: excelize has an index of all texts in memory
	inMemory    = 16 << 20  // bytes of an unpacked sheet; a larger one is written to a temporary file
	maxRows     = 1 << 20   // rows of a sheet, Excel's limit
	mostCells   = 1 << 14   // cells of a row, Excel's limit
	longestCell = 32_767    // characters of a cell, Excel's limit
)

// A workbook reads one sheet.
type workbook struct {
	file   *excelize.File
	sheet  string
	raw    *excelize.Rows // values as they are stored
	dated  *excelize.Rows // the same with marks of their formats; nil if no format matters
	header int            // row of the header in the sheet; 0: no header
	line   int            // row of the sheet that was read last

	formats []numberFormat // those that matter, by the numbers of their marks
	named   []bool         // columns of names

	extras
	open   []merged // ranges with cells in the row that was read last
	hidden []int    // rows that were read and are hidden

	since1904  bool // dates are counted from 1904
	cellBudget int  // bytes that the cells of the remaining rows may have
	width      int  // number of columns
}

// openWorkbook reads the packed file, and the header of a sheet.
func (r *Reader) openWorkbook(content []byte, o Options) (err error) {
	defer func() {
		if p := recover(); p != nil { // excelize panics on some malicious workbooks
			err = r.damagedWorkbook(fmt.Errorf("%v", p))
		}
	}()
	extras, err := r.checkZip(content)
	if err != nil {
		return err
	}
	folder, err := scratch.Folder()
	if err != nil {
		return err
	}
	f, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{RawCellValue: true, TmpDir: folder, UnzipSizeLimit: input.MaxRatio * maxWorkbook, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return r.damagedWorkbook(err)
	}
	w := &workbook{file: f, cellBudget: max(harmless, input.MaxRatio*len(content))}
	if p, err := f.GetWorkbookProps(); err == nil && p.Date1904 != nil {
		w.since1904 = *p.Date1904
	}
	r.rows, r.Form = w, Workbook
	if err = w.choose(r, o); err == nil && extras {
		err = w.findExtras(r, content)
	}
	if err != nil {
		return errors.Join(err, w.close())
	}
	return nil
}

// checkZip reads a zip file to its end, because excelize reads a damaged sheet as a short one. It reports whether sheets
// may have formulas or merged cells.
func (r *Reader) checkZip(content []byte) (extras bool, err error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return false, r.damagedWorkbook(err)
	}
	most := max(harmless, input.MaxRatio*int64(len(content)))
	sheets := 0
	for _, f := range z.File {
		name := strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))
		sheet := strings.HasPrefix(name, "xl/worksheets/")
		if sheet {
			sheets++
		}
		part, err := f.Open()
		if err != nil {
			return false, r.damagedWorkbook(err)
		}
		tail := &lastBytes{}
		n, err := io.Copy(tail, io.LimitReader(part, most+1))
		_ = part.Close() // read only
		if most -= n; most < 0 {
			return false, &badinput.Error{File: r.Name, What: fmt.Sprintf("refused: it holds more than %d times its size", input.MaxRatio), Fix: "save the sheet as CSV, if it is what it should be"}
		}
		if n > mostTexts && !sheet {
			what := fmt.Sprintf("refused: the part %s has more than %d MB", badinput.Quote(f.Name), mostTexts>>20)
			return false, &badinput.Error{File: r.Name, What: what, Fix: "save the sheet as CSV"}
		}
		if err == nil && strings.HasPrefix(name, "xl/worksheets/sheet") && !bytes.HasSuffix(bytes.TrimSpace(tail.last), []byte("worksheet>")) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return false, r.damagedWorkbook(err)
		}
		extras = extras || sheet && tail.extras
	}
	if sheets == 0 {
		return false, r.damagedWorkbook(errors.New("it has no sheet"))
	}
	return extras, nil
}

// lastBytes keeps the end of what is written to it, and whether it has a tag such as that of a formula, <f>, or of a merged
// cell.
type lastBytes struct {
	last   []byte
	extras bool
}

func (l *lastBytes) Write(p []byte) (int, error) {
	const end = 64
	tag := func(text []byte) bool {
		for _, name := range []string{"<f", ":f", "mergeCell"} {
			if bytes.Contains(text, []byte(name)) {
				return true
			}
		}
		return false
	}
	l.extras = l.extras || tag(p) || tag(append(slices.Clip(l.last), p[:min(end, len(p))]...))
	l.last = append(l.last, p[max(0, len(p)-end):]...)
	l.last = append(l.last[:0], l.last[max(0, len(l.last)-end):]...)
	return len(p), nil
}

func (r *Reader) damagedWorkbook(err error) error {
	return &badinput.Error{File: r.Name, What: "damaged workbook", Err: err, Fix: "save it again as .xlsx, or as CSV"}
}

// choose opens the sheet that the user named, or the first with a column of molecules.
func (w *workbook) choose(r *Reader, o Options) error {
	sheets := w.file.GetSheetList()
	if o.Sheet != "" {
		at := Column(sheets, o.Sheet)
		if at < 0 {
			return &badinput.Error{File: r.Name, What: "no sheet " + badinput.Quote(o.Sheet), Fix: "write --sheet with one of " + badinput.List(sheets)}
		}
		sheets = sheets[at : at+1]
	}
	hidden := func(sheet string) bool {
		visible, err := w.file.GetSheetVisible(sheet)
		return err == nil && !visible
	}
	sheets = slices.Concat(each.If(sheets, func(s string) bool { return !hidden(s) }), each.If(sheets, hidden))
	best, found := layout{}, false
	for _, sheet := range sheets {
		if best.found() > 0 && hidden(sheet) {
			break
		}
		l, err := w.firstRows(sheet, o)
		if err != nil {
			return r.damagedWorkbook(err)
		}
		if len(l.rows) > 0 && (!found || l.found() > best.found()) {
			best, w.sheet, found = l, sheet, true
		}
	}
	if !found {
		return &badinput.Error{File: r.Name, What: "the workbook is empty", Fix: "write a header and one molecule a row"}
	}
	if len(w.file.GetSheetList()) > 1 && o.Sheet == "" {
		text := "sheet " + badinput.Quote(w.sheet)
		if hidden(w.sheet) {
			text = "hidden " + text
		}
		r.Notes = append(r.Notes, note.Note{Text: text, Switch: "--sheet"})
	}
	if best.header >= 0 {
		best.rows[best.header] = headerOf(best)
	}
	w.header = best.line()
	if best.header < 0 {
		w.header--
	}
	if err := r.setHeader(&best, o, 0); err != nil {
		return err
	}
	return w.start(r)
}

// headerOf returns the names of a sheet's columns. A column with cells but without a name is
// named by its letters.
func headerOf(l layout) []string {
	width := 0
	for _, row := range l.rows[l.header:] {
		width = max(width, len(trimmed(row)))
	}
	header := make([]string, width)
	for i := range header {
		if i < len(l.rows[l.header]) {
			header[i] = strings.TrimSpace(l.rows[l.header][i])
		}
		if header[i] == "" {
			name, _ := excelize.ColumnNumberToName(i + 1) // i is within the limits
			header[i] = "column " + name
		}
	}
	return header
}

// firstRows reads the first rows of a sheet that are not empty.
func (w *workbook) firstRows(sheet string, o Options) (layout, error) {
	l := layout{known: molecules{}}
	rows, err := w.file.Rows(sheet)
	if err != nil {
		return l, err
	}
	defer rows.Close()
	for line := 1; rows.Next() && line < maxRows && len(l.rows) < looked; line++ {
		cells, err := rows.Columns()
		if err != nil {
			return l, err
		}
		if len(cells) > mostCells {
			return l, fmt.Errorf("row %d has %d cells", line, len(cells))
		}
		if !blank(cells) && line >= o.Header {
			l.rows, l.lines = append(l.rows, cells), append(l.lines, line)
		}
	}
	l.find(o)
	return l, rows.Error()
}
