package table_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/table"
)

// book returns a workbook whose sheets have a column of molecules and a column of values.
func book(t *testing.T, edit func(f *excelize.File) error, sheets ...string) *bytes.Buffer {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for _, name := range sheets {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for i, row := range [][]any{{"smiles", "value"}, {"CCO", name}, {"CCCO", 2}, {"CCCCO", 3}} {
			at, _ := excelize.CoordinatesToCellName(1, i+1)
			if err := f.SetSheetRow(name, at, &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.DeleteSheet("Sheet1"); err != nil {
		t.Fatal(err)
	}
	if err := edit(f); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return &b
}

// readBook returns the values of a workbook's rows, and its notes.
func readBook(t *testing.T, b *bytes.Buffer) (values []string, notes string) {
	t.Helper()
	r, err := table.New("t.xlsx", b, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := read(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.rows {
		values = append(values, row.Fields[1])
	}
	var all []string
	for _, n := range r.Understood() {
		all = append(all, n.String())
	}
	return values, strings.Join(all, "; ")
}

// TestVisibleSheetsFirst: a hidden sheet is read only if no other has molecules. Its note names it so. Hidden rows are
// noted.
func TestVisibleSheetsFirst(t *testing.T) {
	for _, tt := range []struct {
		name, value, note string
		edit              func(f *excelize.File) error
	}{
		{"hidden first", "new", `sheet "new" (--sheet)`, func(f *excelize.File) error { return f.SetSheetVisible("old", false) }},
		{"none of the visible ones", "old", `hidden sheet "old" (--sheet)`, func(f *excelize.File) error {
			for _, cell := range []string{"A1", "A2", "A3", "A4"} {
				if err := f.SetCellValue("new", cell, "remark"); err != nil {
					return err
				}
			}
			return f.SetSheetVisible("old", false)
		}},
		{"hidden row", "old", `sheet "old" (--sheet); hidden rows are read like the others (row 3)`, func(f *excelize.File) error {
			f.SetActiveSheet(0)
			return f.SetRowVisible("old", 3, false)
		}},
	} {
		values, notes := readBook(t, book(t, func(f *excelize.File) error {
			f.SetActiveSheet(1)
			return tt.edit(f)
		}, "old", "new"))
		if !slices.Equal(values, []string{tt.value, "2", "3"}) || notes != tt.note {
			t.Errorf("%s: values %q with the notes %q, want %q and %q", tt.name, values, notes, tt.value, tt.note)
		}
	}
}

// TestFormulasWithoutAValue: a formula without a stored value, as scripts write it, is not read as an empty cell.
func TestFormulasWithoutAValue(t *testing.T) {
	values, notes := readBook(t, book(t, func(f *excelize.File) error {
		if err := f.SetCellFormula("a", "B3", "1+1"); err != nil {
			return err
		}
		if err := f.SetCellValue("a", "B3", nil); err != nil {
			return err
		}
		return f.SetCellFormula("a", "B3", "1+1")
	}, "a"))
	if want := []string{"a", "formula without a stored value", "3"}; !slices.Equal(values, want) {
		t.Errorf("values %q, want %q", values, want)
	}
	if !strings.Contains(notes, "formulas have no stored value") || !strings.Contains(notes, "(row 3)") {
		t.Errorf("notes %q", notes)
	}
}
