package table_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// contents is the result of reading a file.
type contents struct {
	header     []string
	rows       []table.Row
	reasons    []error // errors of the rows' molblocks
	understood string
	smiles     int
	names      int
}

// texts returns the texts of notes.
func texts(notes []note.Note) string {
	var all []string
	for _, n := range notes {
		all = append(all, n.Text)
	}
	return strings.Join(all, ", ")
}

func read(r *table.Reader) (contents, error) {
	var c contents
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			c.header, c.understood, c.smiles, c.names = r.Header, texts(r.Understood()), r.SMILES, r.Names
			return c, nil
		}
		if err != nil {
			return c, err
		}
		c.reasons = append(c.reasons, resolved(&row, max(0, r.SMILES)))
		for len(row.Fields) < len(r.Header) {
			row.Fields = append(row.Fields, "")
		}
		c.rows = append(c.rows, row)
	}
}

func readFile(name string, o table.Options) (contents, error) {
	r, err := table.Open(context.Background(), filepath.Join("testdata", name), nil, o)
	if err != nil {
		return contents{}, err
	}
	defer r.Close()
	return read(r)
}

// The molecules of testdata/make.py.
var (
	names  = []string{"Paracetamol", "Ibuprofen", "2,4-Dichlorphenol", "L-Alanin", "Natriumacetat"}
	smiles = []string{"CC(=O)Nc1ccc(O)cc1", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "Oc1ccc(Cl)cc1Cl", "C[C@H](N)C(=O)O", "CC(=O)[O-].[Na+]"}
)

// TestForms: files written by people, spreadsheets and RDKit are read as they were meant,
// and the notes report what was inferred.
func TestForms(t *testing.T) {
	const (
		german  = `Name SMILES IC50 (µM) hit remark; 5 rows; remark "Fläschchen 3" "sagt \"ja\"" "µM; frisch"; `
		english = german
	)
	for _, tt := range []struct{ file, want string }{
		{"excel_de.csv", german + "semicolons, Latin-1 (Windows-1252)"},
		{"excel_us.csv", english + "Latin-1 (Windows-1252)"},
		{"excel_utf8.csv", english},
		{"excel_unicode.txt", english + "UTF-16LE, tabs"},
		{"excel_mac.csv", english + "semicolons, Latin-1 (Windows-1252)"},
		{"excel_sep.csv", english + "semicolons"},
		{"empty_columns.csv", english + "semicolons"},
		{"utf16be.csv", english + "UTF-16BE"},
		{"libreoffice.xlsx", english},
		{"pandas.csv.gz", " " + english},
		{"excel.xlsx", `Name SMILES IC50 (µM) hit share measured; 5 rows; measured "2024-05-03" "2024-05-03" "2024-05-03"; sheet "Messung", header in row 3`},
		{"rdkit.sdf", `smiles name IC50 (µM) hit remark; 5 rows; remark "" "sagt \"ja\"\nzweite Zeile" "µM; frisch"; SD file`},
		{"rdkit_v3000.sdf", `smiles name IC50 (µM) hit remark; 5 rows; remark "" "sagt \"ja\"\nzweite Zeile" "µM; frisch"; SD file`},
		{"rdkit.sdf.gz", `smiles name IC50 (µM) hit remark; 5 rows; remark "" "sagt \"ja\"\nzweite Zeile" "µM; frisch"; SD file`},
		{"rdkit.smi", `SMILES Name; 5 rows; Name "Paracetamol" "L-Alanin" "Natriumacetat"; white space`},
		{"plain.smi", `smiles name; 5 rows; name "Paracetamol" "L-Alanin" "Natriumacetat"; tabs, no header`},
		{"spaces.smi", `smiles name; 5 rows; name "Paracetamol lot 5" "L-Alanin lot 5" "Natriumacetat lot 5"; white space, no header`},
		{"only.txt", `smiles; 5 rows; smiles "CC(=O)Nc1ccc(O)cc1" "C[C@H](N)C(=O)O" "CC(=O)[O-].[Na+]"; no header`},
		{"supplier.tsv", `Catalog ID smiles MW; 5 rows; MW "5\"-Paracetamol" "5\"-L-Alanin" "5\"-Natriumacetat"; tabs`},
		{"chembl.csv", `Molecule ChEMBL ID Molecule Name Smiles Standard Type Standard Relation Standard Value Standard Units pChEMBL Value; 5 rows; pChEMBL Value "" "" ""; semicolons`},
		{"bindingdb.tsv", `BindingDB Reactant_set_id Ligand SMILES BindingDB Ligand Name Ki (nM) IC50 (nM); 5 rows; IC50 (nM) " 12500" " 250" " 6750"; tabs, molecules in column "Ligand SMILES"`},
		{"pubchem.csv", `PUBCHEM_CID PUBCHEM_EXT_DATASOURCE_SMILES PUBCHEM_ACTIVITY_OUTCOME; 5 rows; PUBCHEM_ACTIVITY_OUTCOME "Inactive" "Active" "Inactive"; molecules in column "PUBCHEM_EXT_DATASOURCE_SMILES"`},
	} {
		c, err := readFile(tt.file, table.Options{SMILES: "smiles"})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		last := len(c.header) - 1
		got := fmt.Sprintf("%s; %d rows; ", strings.Join(c.header, " "), len(c.rows))
		if len(c.rows) == 5 {
			got += fmt.Sprintf("%s %q %q %q; ", c.header[last], c.rows[0].Fields[last], c.rows[3].Fields[last], c.rows[4].Fields[last])
		}
		if got += c.understood; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.file, got, tt.want)
		}
		for i, row := range c.rows {
			got, err := rdkit.Canonical(t.Context(), row.Fields[max(0, c.smiles)])
			want, _ := rdkit.Canonical(t.Context(), smiles[i])
			if err != nil || got != want || c.reasons[i] != nil {
				t.Errorf("%s: molecule %d is %q, want %q (%v, %v)", tt.file, i, got, want, err, c.reasons[i])
			}
			if c.names >= 0 && !strings.HasPrefix(row.Fields[c.names], names[i]) && tt.file != "supplier.tsv" && !strings.HasPrefix(tt.file, "bindingdb") && tt.file != "pubchem.csv" {
				t.Errorf("%s: molecule %d is called %q, want %q", tt.file, i, row.Fields[c.names], names[i])
			}
		}
	}
}

// TestForeignForms: all other files are refused, with one line that advises what to do.
func TestForeignForms(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"empty.csv", "the file is empty; write a header and one molecule a row"},
		{"page.csv", "is an HTML page; fetch the file itself"},
		{"libreoffice.pdf", "is a PDF; export the table as CSV"},
		{"libreoffice.xls", "is an old or a protected Excel workbook; save it as .xlsx without a password, or as CSV"},
		{"libreoffice.ods", "is an OpenDocument file; save it as .xlsx or CSV"},
		{"cut.xlsx", "damaged workbook: zip: not a valid zip file; save it again as .xlsx, or as CSV"},
		{"cut.csv.gz", "damaged gzip file: unexpected EOF; fetch it again"},
		{"short_rows.csv", "row 2: 1 cells where the header has 2; write a semicolon for each empty cell, and quote cells that hold a semicolon"},
		{"no_smiles.csv", `row 1: column "InChI" holds InChI, which is not read; export SMILES instead, or convert it, for example by obabel in.txt -iinchi -ocan`},
		{"binary.csv", "is neither a text nor a workbook; give a CSV, TSV, SMILES, SD or .xlsx file"},
		{"none.csv", "cannot be read: no such file or directory; check the file"},
		{".", "cannot be read: is a directory; check the file"},
	} {
		_, err := readFile(tt.file, table.Options{SMILES: "smiles"})
		want := filepath.Join("testdata", tt.file) + ": " + tt.want
		if err == nil || err.Error() != want || !badinput.Is(err) {
			t.Errorf("%s:\n got %v\nwant %s", tt.file, err, want)
		}
	}
	for text, want := range map[string]string{
		"<table><tr><td>smiles</td></tr></table>":          "x: is an HTML table; save it as .xlsx or CSV",
		"<?xml version=\"1.0\"?>\n<Workbook></Workbook>\n": "x: is an XML file; save it as .xlsx, CSV or an SD file",
		"@<TRIPOS>MOLECULE\nC1\n":                          "x: is a mol2 file; convert it to an SD file, for example with Open Babel",
		"[{\"smiles\":\"CCO\",\"label\":1}]\n":             "x: is a JSON file; export it as CSV",
		"{\"smiles\":\"CCO\"}\n{\"smiles\":\"CCN\"}\n":     "x: is a JSON file; export it as CSV",
	} {
		if _, err := table.New("x", strings.NewReader(text), table.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	c, err := readFile("short_row.csv", table.Options{SMILES: "smiles"})
	if err != nil || len(c.rows) != 2 || c.rows[1].Reason == nil || c.rows[1].Reason.Error() != "1 cells where the header has 2" {
		t.Errorf("a row without a cell: %+v (%v), want a reason in it", c.rows, err)
	}
}

// TestSDFilesKeepWhatCannotBeRead: a record that cannot be read is a row with a reason.
func TestSDFilesKeepWhatCannotBeRead(t *testing.T) {
	c, err := readFile("one_bad.sdf", table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, row := range c.rows {
		got = append(got, fmt.Sprintf("%d %s %v", row.Line, row.Fields[0], c.reasons[i] != nil))
	}
	if want := []string{"1 CC(=O)Nc1ccc(O)cc1 false", "2  true", "3 Oc1ccc(Cl)cc1Cl false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if c.understood != "SD file, Latin-1 (Windows-1252)" || c.rows[2].Fields[slices.Index(c.header, "remark")] != "10 °C" {
		t.Errorf("%s: %q", c.understood, c.rows[2].Fields)
	}
	c, err = readFile("one.mol", table.Options{})
	if err != nil || len(c.rows) != 1 || c.rows[0].Fields[0] != smiles[0] {
		t.Errorf("a molfile: %+v (%v)", c, err)
	}
}

// TestOptionsOverride: options override what is inferred from a file.
func TestOptionsOverride(t *testing.T) {
	for _, tt := range []struct {
		file string
		o    table.Options
		want string
	}{
		{"excel_de.csv", table.Options{Delimiter: "comma"}, "testdata/excel_de.csv: row 1: no column holds SMILES among Name;SMILES;IC50 (µM);hit;remark; name it with --smiles, or the row of the header with --header; --delimiter is for all files, and --delimiter FILE=comma for one"},
		{"excel_de.csv", table.Options{Encoding: "koi8-r"}, "Name SMILES IC50 (╣M) hit remark"},
		{"excel.xlsx", table.Options{Sheet: "info"}, "testdata/excel.xlsx: row 1: no column holds SMILES among Ergebnisse der Woche; name it with --smiles, or the row of the header with --header"},
		{"excel_us.csv", table.Options{Header: 2}, `testdata/excel_us.csv: row 2: a molecule, "CC(=O)Nc1ccc(O)cc1", and not the names of columns; write the row of the header; --header is for all files, and --header FILE=ROW for one`},
		{"excel_us.csv", table.Options{Files: []table.FileOptions{{File: "excel_us.csv", Options: table.Options{Header: table.NoHeader}}, {File: "other.csv", Options: table.Options{Header: 3}}}}, "name smiles column_3 column_4 column_5"},
		{"excel_us.csv", table.Options{Header: table.NoHeader}, "name smiles column_3 column_4 column_5"},
		{"excel_us.csv", table.Options{SMILES: "Structure", Elsewhere: true}, "Name SMILES IC50 (µM) hit remark"},
	} {
		r, err := table.Open(context.Background(), filepath.Join("testdata", tt.file), nil, tt.o)
		if err != nil {
			if err.Error() != tt.want {
				t.Errorf("%s: %v", tt.file, err)
			}
			continue
		}
		if got := strings.Join(r.Header, " "); got != tt.want {
			t.Errorf("%s with %+v: header %s, want %s", tt.file, tt.o, got, tt.want)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, tt := range []struct {
		o    table.Options
		want string
	}{
		{table.Options{Delimiter: "dash"}, "--delimiter dash is not known; write comma, semicolon, tab, bar or space"},
		{table.Options{Encoding: "morse"}, "--encoding morse is not known; write utf-8, utf-16le, latin-1 or another name of the WHATWG's list"},
		{table.Options{Sheet: "none"}, `testdata/excel.xlsx: no sheet "none"; write --sheet with one of Info, Messung`},
	} {
		if _, err := readFile("excel.xlsx", tt.o); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

// TestStandardInput: the standard input is read like a file.
func TestStandardInput(t *testing.T) {
	f, err := os.Open("testdata/rdkit.sdf.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := table.Open(t.Context(), "-", f, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := read(r); err != nil || len(c.rows) != 5 {
		t.Errorf("%d rows (%v)", len(c.rows), err)
	}
}

func resolved(row *table.Row, column int) error {
	_, err := row.Resolve(context.Background(), column)
	return err
}
