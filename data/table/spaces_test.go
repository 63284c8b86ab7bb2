package table_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/table"
)

// TestSpacesInSMILES: in a table, a SMILES with text after a space is left out, and not read as the part before it. The
// text may be an extension, and in a list or a table of one column also a name.
func TestSpacesInSMILES(t *testing.T) {
	const broken = "CC(=O)Oc1ccccc1 C(=O)O"
	book := excelize.NewFile()
	defer book.Close()
	for i, row := range [][]any{{"smiles", "name"}, {broken, "a"}, {"CCCCO or CCN", "b"}, {"CCCCO |&1:0|", "c"}} {
		at, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := book.SetSheetRow("Sheet1", at, &row); err != nil {
			t.Fatal(err)
		}
	}
	var sheet bytes.Buffer
	if err := book.Write(&sheet); err != nil {
		t.Fatal(err)
	}
	const beside = "; remove the space, or write a name in a column of its own"
	for _, tt := range []struct{ name, text, reasons string }{
		{"table", "smiles,name\nCCCCN,x\n" + broken + ",a\nCCCCO & CCN,b\nCCCCO |&1:0|,c\nCCCCO |&1:0| butanol,d\n CCCCCN ,e\n",
			`; "C(=O)O" after a space in the SMILES` + beside + `; "& CCN" after a space in the SMILES` + beside + "; ; ; "},
		{"most of a small table", "smiles,name\n" + broken + ",a\nCCCCO,b\nCCCCN |&1:0|,c\n", `"C(=O)O" after a space in the SMILES` + beside + "; ; "},
		{"workbook", sheet.String(), `"C(=O)O" after a space in the SMILES` + beside + `; "or CCN" after a space in the SMILES` + beside + "; "},
		{"one column", "smiles\nCCCCN\nCCCCO\nCCCCCN\nCCCCCO\nCCCCCCO\nCCCCCN pentylamine\n" + broken + "\n", `; ; ; ; ; ; "C(=O)O" after a space in the SMILES` + beside},
		{"list", "CCCCN butylamine\nCCCCO CCN\nCCCCO |&1:0| butanol\n", "; ; "},
	} {
		r, err := table.New("t", strings.NewReader(tt.text), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := read(r)
		if err != nil {
			t.Fatal(err)
		}
		var reasons []string
		for _, row := range c.rows {
			reason := ""
			if row.Reason != nil {
				reason = row.Reason.Error()
			}
			reasons = append(reasons, reason)
		}
		if got := strings.Join(reasons, "; "); got != tt.reasons {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.reasons)
		}
	}
}
