package assay_test

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/label"
)

// TestUnitsOfNumberFormats: a unit that only the number format of a workbook's cell shows is the unit of its value.
// The number is one that the workbook stores: 12.345 is not asked for.
func TestUnitsOfNumberFormats(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	set := func(row int, cells ...any) {
		at, _ := excelize.CoordinatesToCellName(1, row)
		if err := f.SetSheetRow("Sheet1", at, &cells); err != nil {
			t.Fatal(err)
		}
	}
	set(1, "name", "smiles", "IC50")
	for i, value := range []struct {
		stored float64
		format string
	}{{350, `0.0" nM"`}, {20000, `0.0" nM"`}, {12.345, `0.0" nM"`}, {0.3, `0.0\ "µM"`}, {5, `0.0\ "µM"`}, {0.5, "0.0"}, {3, "0.0"}} {
		set(i+2, truth[i].name, truth[i].smiles, value.stored)
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &value.format})
		at, _ := excelize.CoordinatesToCellName(3, i+2)
		if err == nil {
			err = f.SetCellStyle("Sheet1", at, at, style)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var book bytes.Buffer
	if err := f.Write(&book); err != nil {
		t.Fatal(err)
	}
	a, err := readForm(t, book.Bytes(), label.Settings{Below: "1", Units: "uM"})
	if err != nil {
		t.Fatal(err)
	}
	if got := inOrder(a); got != "aiaaiai" {
		t.Errorf("read as %s, want aiaaiai\n%s", got, notesOf(a))
	}
}
