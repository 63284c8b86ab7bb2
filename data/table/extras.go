package table

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"pacia/data/note"
)

// noValue is read in place of a formula without a stored value. Scripts write such formulas; a program such as Excel
// computes them when it opens the workbook, and stores their values when it saves it.
const noValue = "formula without a stored value"

// extras are what excelize does not tell of the cells of a sheet while it reads row by row.
type extras struct {
	instead map[int]map[int]string // texts of cells in place of their values, by row and column
	zero    map[int][]int          // rows of formulas with the value 0, by column
	valued  map[int]bool           // columns of formulas with other values
	merged  []merged               // by their first rows
}

// findExtras finds formulas without a stored value and merged cells in the chosen sheet.
func (w *workbook) findExtras(r *Reader, content []byte) error {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return r.damagedWorkbook(err)
	}
	name, computes, err := partOf(z, w.sheet)
	if err != nil {
		return r.damagedWorkbook(err)
	}
	part, err := z.Open(name)
	if err != nil {
		return nil // excelize finds sheets of unusual names, without this check
	}
	defer part.Close()
	if w.extras, err = scanSheet(part, computes); err != nil {
		return r.damagedWorkbook(err)
	}
	rows := slices.Sorted(maps.Keys(w.instead))
	rows = slices.DeleteFunc(rows, func(row int) bool { return !slices.Contains(slices.Collect(maps.Values(w.instead[row])), noValue) })
	if len(rows) > 0 {
		r.Notes = append(r.Notes, note.Note{Warning: true, Rows: rows,
			Text: "formulas have no stored value; open the workbook in Excel, or recalculate it in LibreOffice (Ctrl+Shift+F9), and save it"})
	}
	for _, column := range slices.Sorted(maps.Keys(w.zero)) {
		if rows := w.zero[column]; len(rows) > 1 && !w.valued[column] {
			letters, _ := excelize.ColumnNumberToName(column + 1) // it was read from letters
			r.Notes = append(r.Notes, note.Note{Warning: true, Rows: rows,
				Text: "all formulas of column " + letters + " have the value 0, which scripts write for formulas that are not yet computed; " +
					"if so, recalculate them in Excel or LibreOffice (Ctrl+Shift+F9)"})
		}
	}
	return nil
}

// partOf returns the name of the part of a zip file that has a sheet. computes: Excel is to compute all formulas when it
// opens the workbook, so that their stored values mean nothing if they are 0.
func partOf(z *zip.Reader, sheet string) (name string, computes bool, err error) {
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
		Computing struct {
			OnLoad string `xml:"fullCalcOnLoad,attr"`
		} `xml:"calcPr"`
	}
	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := errors.Join(decode(z, "xl/workbook.xml", &book), decode(z, "xl/_rels/workbook.xml.rels", &relations)); err != nil {
		return "", false, err
	}
	computes = slices.Contains([]string{"1", "true"}, book.Computing.OnLoad)
	for _, s := range book.Sheets {
		for _, of := range relations.All {
			if s.Name == sheet && of.ID == s.ID {
				if target, absolute := strings.CutPrefix(of.Target, "/"); absolute {
					return target, computes, nil
				}
				return path.Join("xl", of.Target), computes, nil
			}
		}
	}
	return "", computes, nil
}

func decode(z *zip.Reader, name string, to any) error {
	part, err := z.Open(name)
	if err != nil {
		return nil // partOf returns no name then
	}
	defer part.Close()
	return xml.NewDecoder(part).Decode(to)
}
