package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"pacia/data/rdkit"
	"pacia/internal/each"
	"pacia/internal/scratch"
	"pacia/screen/ranking"
)

// forms are the files that can be downloaded from a job.
var forms = []struct {
	file, kind string
	whole      bool // it is in memory before it is sent
	write      func(r *result, chosen []entry, w io.Writer) error
}{
	{"ranked.csv", "text/csv; charset=utf-8", false, (*result).writeCSV},
	{"ranked.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true, (*result).writeXLSX},
	{"ranked.sdf", "chemical/x-mdl-sdfile", false, (*result).writeSDF},
	{"results.zip", "application/zip", false, func(r *result, _ []entry, w io.Writer) error { return r.writeSaved(w) }},
	{"unread.csv", "text/csv; charset=utf-8", false, func(r *result, _ []entry, w io.Writer) error { return r.writeUnread(w) }},
}

// download answers with a file of the rows that the request selects.
func (s *Server) download(w http.ResponseWriter, r *http.Request) error {
	res, q, release, err := s.asked(r)
	if err != nil {
		return err
	}
	defer release()
	return s.write(w, r, res, r.PathValue("file"), q)
}

// write answers with a file of the rows that q selects, at most q.top of them. Offset and limit have no effect.
func (s *Server) write(w http.ResponseWriter, r *http.Request, res *result, file string, q query) error {
	for _, f := range forms {
		if f.file != file {
			continue
		}
		var chosen []entry
		if err := s.sorting(r, res.needs(0, false), func() (err error) { chosen, err = res.choose(q); return err }); err != nil {
			return err
		}
		if q.top > 0 {
			chosen = chosen[:min(q.top, len(chosen))]
		}
		n := res.needs(len(chosen), f.whole)
		if err := s.memory.reserve(r.Context(), n, "choose fewer rows by top, or ask for ranked.csv"); err != nil {
			return err
		}
		defer s.memory.free.Release(n)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(downloadTime)) // tests have none
		w.Header().Set("Content-Type", f.kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
		if err := f.write(res, chosen, untilGone{w, r}); err != nil && r.Context().Err() == nil {
			slog.Error("a download failed", "file", file, "error", err)
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
		return nil
	}
	return problem{Status: http.StatusNotFound, What: "a job has no " + quote(file), Fix: "ask for ranked.csv, ranked.xlsx, ranked.sdf, unread.csv, results.zip or report.html"}
}

// untilGone is a writer that fails once the client has gone.
type untilGone struct {
	io.Writer
	request *http.Request
}

func (u untilGone) Write(p []byte) (int, error) {
	if err := u.request.Context().Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(p)
}

// each calls use with each row and its cells.
func (r *result) each(chosen []entry, use func(*ranking.Ranked) error) (err error) {
	for i := range chosen {
		e := chosen[i]
		if e.Cells, err = r.ranker.Spill.CellsAt(&e.Ranked); err != nil {
			return err
		}
		if err := use(&e.Ranked); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) writeCSV(chosen []entry, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := append(ranking.Line(r.view.Header()), '\n')
	_, _ = out.Write(line) // Flush reports errors
	err := r.each(chosen, func(row *ranking.Ranked) error {
		line = append(r.view.AppendRow(line[:0], row), '\n')
		_, err := out.Write(line)
		return err
	})
	return errors.Join(err, out.Flush())
}

func (r *result) writeUnread(w io.Writer) error { return r.ranker.Invalid.CopyTo(w) }

// longestCell is Excel's limit on a cell, in characters.
const longestCell = 32_767

// writeXLSX writes a workbook of one sheet, whose header stays in place when the sheet is scrolled.
func (r *result) writeXLSX(chosen []entry, w io.Writer) (err error) {
	folder, err := scratch.Folder()
	if err != nil {
		return err
	}
	f := excelize.NewFile(excelize.Options{TmpDir: folder})
	defer func() { err = errors.Join(err, f.Close()) }()
	const sheet = "Ranked"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	out, err := f.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	if err := out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	decimals := map[int]int{} // styles, by the number of decimals
	number := 1
	add := func(cells []string) error {
		if _, err := w.Write(nil); err != nil { // the client has gone
			return err
		}
		values := make([]any, len(cells))
		for i, c := range cells {
			n, shown, is := numberOf(c)
			if !is {
				values[i] = cut(c)
				continue
			}
			values[i] = n
			if shown > 0 && strings.HasSuffix(c, "0") {
				style, err := decimalsStyle(f, decimals, shown)
				if err != nil {
					return err
				}
				values[i] = excelize.Cell{Value: n, StyleID: style}
			}
		}
		at, err := excelize.CoordinatesToCellName(1, number)
		if err != nil {
			return err
		}
		number++
		return out.SetRow(at, values)
	}
	if err := add(r.view.Header()); err != nil {
		return err
	}
	err = r.each(chosen, func(row *ranking.Ranked) error { return add(r.view.Cells(row)) })
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Write(w)
}

// cut shortens a text to the length that Excel accepts.
func cut(cell string) string {
	if r := []rune(cell); len(r) > longestCell {
		return string(r[:longestCell])
	}
	return cell
}

// numeral matches the cells that become numbers in a workbook. 00123 and 1e5, which may be names, stay texts.
var numeral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// mostDigits is the number of digits that Excel keeps of a number.
const mostDigits = 15

// numberOf returns the number in a cell and the number of its decimals; is reports whether the cell is a number.
func numberOf(cell string) (n float64, decimals int, is bool) {
	if len(cell) > mostDigits+2 || !numeral.MatchString(cell) || len(strings.Trim(cell, "-.")) > mostDigits {
		return 0, 0, false
	}
	n, err := strconv.ParseFloat(cell, 64)
	if _, after, found := strings.Cut(cell, "."); found {
		decimals = len(after)
	}
	return n, decimals, err == nil
}

// decimalsStyle returns the style that shows this number of decimals, zeros included.
func decimalsStyle(f *excelize.File, known map[int]int, decimals int) (int, error) {
	if style, made := known[decimals]; made {
		return style, nil
	}
	format := "0." + strings.Repeat("0", decimals)
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
	known[decimals] = style
	return style, err
}

// withoutAtoms is a molblock without atoms.
const withoutAtoms = "\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"

// writeSDF writes a record for each row: the molecule with 2D coordinates, and all columns as data fields.
func (r *result) writeSDF(chosen []entry, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	header, t := r.view.Header(), r.ranker.Table
	names := each.Of(header, strings.NewReplacer("<", "(", ">", ")", "\n", " ", "\r", " ").Replace)
	err := r.each(chosen, func(e *ranking.Ranked) error {
		cells := r.view.Cells(e)
		block, err := rdkit.ToBlock(context.Background(), cells[t.SMILES])
		if err != nil {
			block = withoutAtoms // only in saved results that somebody changed
		}
		name := strings.Join(strings.Fields(t.NameOf(cells)), " ")
		_, _ = out.WriteString(name + block) // Flush reports; the block's first line is empty
		for i, cell := range cells {
			if i != t.SMILES && cell != "" {
				_, _ = out.WriteString(">  <" + names[i] + ">\n" + dataLines(cell) + "\n\n")
			}
		}
		reasons := r.ranker.Reasons[e.Number]
		if reasons != nil && reasons.SMILES == strings.TrimSpace(cells[t.SMILES]) { // the atoms of both have the same order
			_, _ = out.WriteString(">  <atom.dprop.log_odds>\n" + reasons.AtomLines() + "\n\n")
		}
		_, err = out.WriteString("$$$$\n")
		return err
	})
	return errors.Join(err, out.Flush())
}

// dataLines returns a cell as the value of a data field in an SD file. An empty line, the head of a field or
// the end of a record would end the value early. Empty lines are removed, and a blank before the others
// makes them text.
func dataLines(cell string) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(cell), "\r\n", "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	for i, l := range lines {
		if i > 0 && strings.HasPrefix(l, ">") || strings.HasPrefix(l, "$$$$") {
			lines[i] = " " + l
		}
	}
	return strings.Join(lines, "\n")
}
