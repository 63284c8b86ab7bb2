package table_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// shown returns the header, the column of the molecules and the rows of a text, or the error.
func shown(t *testing.T, text string, o table.Options) string {
	t.Helper()
	r, err := table.New("x", strings.NewReader(text), o)
	if err != nil {
		if !badinput.Is(err) {
			t.Fatalf("%v is not an error of the input", err)
		}
		return err.Error()
	}
	defer r.Close()
	all := strings.Join(r.Header, ",") + fmt.Sprintf(" %d:", r.SMILES)
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return err.Error()
		}
		all += fmt.Sprintf(" %d %s", row.Line, strings.Join(row.Fields, "|"))
		if row.Reason != nil {
			all += " (left out)"
		}
	}
}

// TestListsInOtherOrders: a list may have names first, comments, and a header or none.
func TestListsInOtherOrders(t *testing.T) {
	const names = "Z1 CCOCC\nZ2 CCNCC\nZ3 c1ccccc1\n"
	for _, tt := range []struct {
		text   string
		header int
		want   string
	}{
		{names, 0, "name,smiles 1: 1 Z1|CCOCC 2 Z2|CCNCC 3 Z3|c1ccccc1"},
		{names, table.NoHeader, "name,smiles 1: 1 Z1|CCOCC 2 Z2|CCNCC 3 Z3|c1ccccc1"},
		{"Name SMILES\n" + names, 0, "Name,SMILES 1: 2 Z1|CCOCC 3 Z2|CCNCC 4 Z3|c1ccccc1"},
		{"# by X\n# of 2026\n" + names, 0, "name,smiles 1: 3 Z1|CCOCC 4 Z2|CCNCC 5 Z3|c1ccccc1"},
		{"ethyl ether CCOCC\namine N,N CCNCC |$a$|\nring c1ccccc1\n", 0, "name,smiles 1: 1 ethyl ether|CCOCC 2 amine N,N|CCNCC |$a$| 3 ring|c1ccccc1"},
		{"# SMILES Name\nCCOCC Z1\nCCNCC Z2\n", 0, "SMILES,Name 0: 2 CCOCC|Z1 3 CCNCC|Z2"},
		{"# made by X, smiles below\nsmiles,name\nCCOCC,Z1\nCCNCC,Z2\n", 0, "smiles,name 0: 3 CCOCC|Z1 4 CCNCC|Z2"},
		{"# made by X\nCCOCC Z1\nCCNCC Z2\n", table.NoHeader, "smiles,name 0: 2 CCOCC|Z1 3 CCNCC|Z2"},
		{"Z1 CCOCC 1\nZ2 CCNCC 0\nZ3 CCCCCO 1\n", 0, "name,smiles,column_3 1: 1 Z1|CCOCC|1 2 Z2|CCNCC|0 3 Z3|CCCCCO|1"},
		{strings.Repeat("title\n", 40) + "smiles,name\nCCOCC,Z1\nCCNCC,Z2\n", 41, "smiles,name 0: 42 CCOCC|Z1 43 CCNCC|Z2"},
	} {
		if got := shown(t, tt.text, table.Options{Header: tt.header}); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestNoFormIsAnInternalError: whatever options are combined with a text, its reader names the column of the molecules, or
// the text is refused.
func TestNoFormIsAnInternalError(t *testing.T) {
	texts := []string{"", "\n", "x", "a b", "a,b\nc,d\n", "Z1 CCO\nZ2 CCN\n", "smiles\n", "# x\n", "#\n#\n", "<datawarrior-fileinfo>\n", "InChI=1S/CH4/h1H4\nInChI=1S/CH4/h1H4\n",
		"\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n", "a\tb\tc\n1\t2\t3\n", "sep=;\na;b\n", "CCO\nCCN\n", "1 2 3\n4 5 6\n7 8 9\n", `"`, "|", "x |", "a |b| c"}
	for _, text := range texts {
		for _, header := range []int{0, table.NoHeader, 1, 2, 3, 30, 10_000} {
			for _, delimiter := range []string{"", "comma", "tab", "bar", "space"} {
				for _, smiles := range []string{"", "b", "none"} {
					for _, elsewhere := range []bool{false, true} {
						_ = shown(t, text, table.Options{Header: header, Delimiter: delimiter, SMILES: smiles, Elsewhere: elsewhere})
					}
				}
			}
		}
	}
}

// TestDataWarriorFiles: the table of a .dwar is found, however much is above and below it; idcodes are named.
func TestDataWarriorFiles(t *testing.T) {
	file := func(columns int, header string, rows ...string) string {
		var b strings.Builder
		b.WriteString("<datawarrior-fileinfo>\n<version=\"3.3\">\n</datawarrior-fileinfo>\n<column properties>\n<columnName=\"Structure\">\n<columnProperty=\"specialType\tidcode\">\n")
		for i := range columns {
			fmt.Fprintf(&b, "<columnName=\"c%d\">\n<columnProperty=\"x\t1\">\n", i)
		}
		b.WriteString("</column properties>\n" + header + "\n" + strings.Join(rows, "\n") + "\n<hitlist data>\n<x>\n</hitlist data>\n<datawarrior properties>\n<axis=\"a\tb\">\n</datawarrior properties>\n")
		return b.String()
	}
	for _, columns := range []int{0, 12, 10_000} {
		got := shown(t, file(columns, "Structure\tID\tSmiles", "dc@\t<1\tCCOCC", "dd@\t2\tCCNCC"), table.Options{})
		line := 7 + 2*columns + 1
		if want := fmt.Sprintf("Structure,ID,Smiles 2: %d dc@|<1|CCOCC %d dd@|2|CCNCC", line+1, line+2); got != want {
			t.Errorf("%d columns:\n got %s\nwant %s", columns, got, want)
		}
	}
	got := shown(t, file(2, "Structure\tID", "dc@\t1", "dd@\t2"), table.Options{})
	for _, part := range []string{`"Structure" holds idcodes`, "Save Special", "SD-File"} {
		if !strings.Contains(got, part) {
			t.Errorf("without SMILES: %s, want %q in it", got, part)
		}
	}
}

// TestZipFiles: the only table of a zip file is read. Several are named.
func TestZipFiles(t *testing.T) {
	packed := func(files ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			f, err := w.Create(files[i])
			if err == nil {
				_, err = f.Write([]byte(files[i+1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const csv = "smiles,name\nCCOCC,a\n"
	const read = "smiles,name 0: 2 CCOCC|a"
	for _, tt := range []struct{ text, want string }{
		{packed("a.csv", csv), read},
		{packed("x/", "", "x/a.csv", csv, "__MACOSX/._a.csv", "??", "README.txt", "read me"), read},
		{packed("a.csv", csv, "b.sdf", "x"), "a zip file of 2 files: a.csv, b.sdf"},
		{packed(), "is neither"},
		{packed("b.zip", packed("a.csv", csv)), "a zip file within a zip file"},
		{packed("content.xml", "<x>"), "OpenDocument"},
		{packed("a.csv", csv+strings.Repeat("C,\n", 1<<20)), "refused: it holds more"},
		{packed("a.csv", csv)[:60], "damaged zip file"},
	} {
		if got := shown(t, tt.text, table.Options{}); !strings.Contains(got, tt.want) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestSDFilesWithBlemishes: blemishes that other programs accept do not lose a record, nor its name.
func TestSDFilesWithBlemishes(t *testing.T) {
	good := record("M  END\n", "> <a>\n1\n\n")
	for name, bad := range map[string]string{
		"an empty line before the end": strings.Replace(good, "M  END", "\nM  END", 1),
		"an empty line after $$$$":     "\n" + good,
		"an empty line among atoms":    strings.Replace(good, "0999 V2000\n", "0999 V2000\n\n", 1),
		"the end in another form":      strings.Replace(good, "M  END", "M END  ", 1),
		"no end":                       strings.Replace(good, "M  END\n", "", 1),
		"no version":                   strings.Replace(good, "0999 V2000", "", 1),
		"tabs":                         strings.Replace(good, "  1  2  1  0", "  1  2  1\t0\t", 1),
	} {
		c, err := readText(t, good+bad+good)
		if err != nil || len(c.rows) != 3 || c.reasons[1] != nil {
			t.Errorf("%s: %d rows, %v, %v", name, len(c.rows), c.reasons, err)
			continue
		}
		for i, row := range c.rows {
			if got := strings.Join(row.Fields, " "); got != "CCO ethanol 1" {
				t.Errorf("%s: record %d is %s", name, i+1, got)
			}
		}
	}
}

// TestSDFilesWithoutStructures: molecules are in a data field if all molblocks are empty, or if the user names it.
func TestSDFilesWithoutStructures(t *testing.T) {
	empty := func(fields string) string {
		return "z\n x\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n" + fields + "$$$$\n"
	}
	const smiles, other = "> <SMILES>\nCCOCC\n\n", "> <other>\nCCNCC\n\n"
	for _, tt := range []struct{ text, named, want string }{
		{empty(smiles) + empty(smiles), "", "name,SMILES 1: 1 z|CCOCC 2 z|CCOCC"},
		{empty(smiles+other) + empty(smiles+other), "other", "name,SMILES,other 2: 1 z|CCOCC|CCNCC 2 z|CCOCC|CCNCC"},
		{record("M  END\n", other), "other", "name,other 1: 1 ethanol|CCNCC"},
		{empty("> <id>\n7\n\n"), "", "the molblocks are empty, and no data field holds SMILES among name, id"},
		{empty(""), "", "the molblocks are empty, and no data field holds SMILES"},
		{record("M  END\n", other), "absent", `no data field "absent"`},
	} {
		if got := shown(t, tt.text, table.Options{SMILES: tt.named}); !strings.Contains(got, tt.want) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestTheLikelierColumnOfMolecules: parts of molecules, and a reference in all rows, are not the molecules.
func TestTheLikelierColumnOfMolecules(t *testing.T) {
	for _, tt := range []struct{ header, want string }{
		{"smiles_scaffold,molecule", "molecule"}, {"core smiles,structure", "structure"}, {"salt_smiles,saltfree_smiles", "saltfree_smiles"},
		{"murcko,cpd", "cpd"}, {"query_smiles,hit_smiles", "hit_smiles"},
	} {
		r, err := table.New("x", strings.NewReader(tt.header+"\nCCOCC,CCOCCN\nCCNCC,CCNCCN\nCCSCC,CCSCCN\n"), table.Options{})
		if err != nil || r.Header[r.SMILES] != tt.want {
			t.Errorf("%s: %v, want the column %s", tt.header, err, tt.want)
		}
	}
	r, err := table.New("x", strings.NewReader("smiles_a,smiles_b\nCCOCC,CCOCCN\nCCOCC,CCNCCN\nCCOCC,CCSCCN\n"), table.Options{})
	if err != nil || r.SMILES != 1 {
		t.Errorf("a reference in all rows: %v, want column smiles_b", err)
	}
}
