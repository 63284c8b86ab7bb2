package table

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
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

// findUnvalued finds the formulas without a stored value in the chosen sheet.
func (w *workbook) findUnvalued(r *Reader, content []byte) error {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return r.damagedWorkbook(err)
	}
	name, err := partOf(z, w.sheet)
	if err != nil {
		return r.damagedWorkbook(err)
	}
	part, err := z.Open(name)
	if err != nil {
		return nil // excelize finds sheets of unusual names, without this check
	}
	defer part.Close()
	if w.unvalued, err = unvalued(part); err != nil {
		return r.damagedWorkbook(err)
	}
	if rows := slices.Sorted(maps.Keys(w.unvalued)); len(rows) > 0 {
		r.Notes = append(r.Notes, note.Note{Warning: true, Rows: rows,
			Text: "formulas have no stored value; open the workbook in Excel or LibreOffice, and save it"})
	}
	return nil
}

// partOf returns the name of the part of a zip file that has a sheet.
func partOf(z *zip.Reader, sheet string) (string, error) {
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := errors.Join(decode(z, "xl/workbook.xml", &book), decode(z, "xl/_rels/workbook.xml.rels", &relations)); err != nil {
		return "", err
	}
	for _, s := range book.Sheets {
		for _, of := range relations.All {
			if s.Name == sheet && of.ID == s.ID {
				if target, absolute := strings.CutPrefix(of.Target, "/"); absolute {
					return target, nil
				}
				return path.Join("xl", of.Target), nil
			}
		}
	}
	return "", nil
}

func decode(z *zip.Reader, name string, to any) error {
	part, err := z.Open(name)
	if err != nil {
		return nil // partOf returns no name then
	}
	defer part.Close()
	return xml.NewDecoder(part).Decode(to)
}

// unvalued returns the columns, from 0, of the cells of each row that have a formula and no value.
func unvalued(sheet io.Reader) (map[int][]int, error) {
	found := map[int][]int{}
	d := xml.NewDecoder(sheet)
	var cell string
	var formula, inValue, valued bool
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "c":
				cell, formula, valued = "", false, false
				for _, a := range t.Attr {
					if a.Name.Local == "r" {
						cell = a.Value
					}
				}
			case "f":
				formula = true
			case "v", "t":
				inValue = true
			}
		case xml.CharData:
			valued = valued || inValue && len(bytes.TrimSpace(t)) > 0
		case xml.EndElement:
			inValue = false
			if t.Name.Local == "c" && formula && !valued {
				if column, row, err := excelize.CellNameToCoordinates(cell); err == nil {
					found[row] = append(found[row], column-1)
				}
			}
		}
	}
}
