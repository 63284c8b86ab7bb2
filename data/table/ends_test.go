package table_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/table"
)

func readText(t *testing.T, text string) (contents, error) {
	t.Helper()
	r, err := table.New("x", strings.NewReader(text), table.Options{})
	if err != nil {
		return contents{}, err
	}
	defer r.Close()
	return read(r)
}

// TestLinesEndInReturns: a file with the line ends of old Macs is read like one with line feeds.
func TestLinesEndInReturns(t *testing.T) {
	for _, file := range []string{"rdkit.sdf", "rdkit_v3000.sdf", "one.mol", "rdkit.smi", "supplier.tsv"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.ReplaceAll(string(text), "\r\n", "\n")
		want, err := readText(t, plain)
		if err != nil || len(want.rows) == 0 {
			t.Fatalf("%s: %d rows (%v)", file, len(want.rows), err)
		}
		for _, end := range []string{"\r", "\r\n"} {
			if got, err := readText(t, strings.ReplaceAll(plain, "\n", end)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s with line ends %q:\n got %+v (%v)\nwant %+v", file, end, got, err, want)
			}
		}
	}
}

// TestLineFeedsBetweenMarks: in such a file, a cell in quotation marks may contain line feeds. A file with line
// feeds and an unmatched mark is not mistaken for one.
func TestLineFeedsBetweenMarks(t *testing.T) {
	for text, want := range map[string]string{
		"name,smiles,\"IC50\n(uM)\"\ra,CCCCO,1\rb,CCCCN,\"2\n3\"\r":           "[name smiles IC50 (uM)] 2 \"2\\n3\"",
		"name\tsmiles\tIC50\r\n\"a\tCCCCO\t1\r\nb\"\tCCCCN\t2\r\nc\tCCCCS\t3": "[name smiles IC50] 3 \"3\"",
	} {
		c, err := readText(t, text)
		if err != nil || len(c.rows) == 0 {
			t.Errorf("%q: %v", text, err)
			continue
		}
		last := c.rows[len(c.rows)-1].Fields
		if got := fmt.Sprintf("%s %d %q", c.header, len(c.rows), last[len(last)-1]); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// record returns a molecule with data fields. end is the end of its block.
func record(end, fields string) string {
	return "ethanol\n  x\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n" +
		strings.Repeat("    0.0000    0.0000    0.0000 C   0  0\n", 2) + "    0.0000    0.0000    0.0000 O   0  0\n" +
		"  1  2  1  0\n  2  3  1  0\n" + end + fields + "$$$$\n"
}

// TestDataFieldsAreNotLost: a data field is recognised even if the empty line or the end of the
// molblock above it is missing. A value may still begin with >.
func TestDataFieldsAreNotLost(t *testing.T) {
	const end, missing = "M  END\n", "a molblock without an end"
	for _, tt := range []struct{ end, fields, want string }{
		{end, "> <note>\n\n> <IC50>\n>10000\n\n", `[smiles name note IC50] "CCO" "ethanol" "" ">10000" `},
		{end, "> <note>\n> <IC50>\n5\n\n", `[smiles name note IC50] "CCO" "ethanol" "" "5" `},
		{end, "> <note>\nold\n>  <IC50>  (1) \n5\n\n", `[smiles name note IC50] "CCO" "ethanol" "old" "5" `},
		{end, "> <note>\nold\n> <IC50> (A1)\n5\n> <Ki> DT12 (MD-08974)\n7\n\n", `[smiles name note IC50 Ki] "CCO" "ethanol" "old" "5" "7" `},
		{end, "> <IC50>\n> 10000 <x>\n\n", `[smiles name IC50] "CCO" "ethanol" "> 10000 <x>" `},
		{"", "> <IC50>\n5\n\n", `[smiles name IC50] "CCO" "ethanol" "5" `},
	} {
		c, err := readText(t, record(tt.end, tt.fields)+record(tt.end, tt.fields))
		if err != nil || len(c.rows) != 2 {
			t.Errorf("%q: %d rows (%v)", tt.fields, len(c.rows), err)
			continue
		}
		got := fmt.Sprint(c.header) + " "
		for _, cell := range c.rows[1].Fields {
			got += fmt.Sprintf("%q ", cell)
		}
		if c.reasons[1] != nil {
			got += missing
		}
		if got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.fields, got, tt.want)
		}
	}
}

// TestAlmostRead: the error for a nearly readable file states what is wrong in it.
func TestAlmostRead(t *testing.T) {
	for text, want := range map[string]string{
		"\n\n\n" + record("M  END\n", ""): "x: an SD file whose fourth line does not count atoms and bonds; " +
			"remove what is above the first record, or export the file again",
		"$RDFILE 1\n$DATM 2026\n": "x: is an RD file; export an SD file",
		"$RXN\n\n\n\n  1  1\n":    "x: is a reaction; give a table of molecules",
		"CCCCO,CCCCN\nCCCCCO,CCCCCN\n": "x: row 1: several columns hold molecules, and there is no header; " +
			"write a header, and --smiles with the name of one",
	} {
		if _, err := readText(t, text); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestTheFirstSheetWithMolecules: the first sheet with molecules is read, even if a later one has more columns.
func TestTheFirstSheetWithMolecules(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for _, sheet := range []struct {
		name string
		rows [][]any
	}{
		{"Sheet1", [][]any{{"SMILES: see the next sheets"}}},
		{"Active", [][]any{{"SMILES", "label"}, {"CCCCO", 1}, {"CCCCN", 0}}},
		{"All", [][]any{{"name", "SMILES", "label"}, {"a", "CCCCO", 1}, {"b", "CCCCN", 0}}},
	} {
		if _, err := f.NewSheet(sheet.name); err != nil {
			t.Fatal(err)
		}
		for i, row := range sheet.rows {
			if err := f.SetSheetRow(sheet.name, fmt.Sprintf("A%d", i+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	c, err := readText(t, b.String())
	if err != nil || strings.Join(c.header, " ") != "SMILES label" || c.understood != `sheet "Active"` {
		t.Errorf("%s: columns %s (%v), want those of the sheet Active", c.understood, c.header, err)
	}
}
