package ranking

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"testing"

	"pacia/fault"
)

// file writes text and moves to its folder, so that faults name it alone.
func file(t *testing.T, name, text string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableReadsWhatSpreadsheetsWrite(t *testing.T) {
	const text = "id,Smiles\r\n1,CC\r\n2,\"C\nN\"\r\n3,O\r\n"
	for name, content := range map[string]string{
		"plain": text, "marked": "\ufeff" + text, "packed": packed(t, text), "no last line end": text[:len(text)-2],
	} {
		table, err := Open(file(t, "a.csv", content), "smiles")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var lines []int
		var smiles []string
		for {
			row, err := table.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			lines, smiles = append(lines, row.Line), append(smiles, row.Fields[table.SMILES])
		}
		if len(lines) != 3 || lines[0] != 2 || lines[1] != 3 || lines[2] != 5 {
			t.Errorf("%s: rows begin in lines %v, want [2 3 5]", name, lines)
		}
		if len(smiles) != 3 || smiles[0] != "CC" || smiles[2] != "O" {
			t.Errorf("%s: molecules %q", name, smiles)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTableFaults(t *testing.T) {
	whole := packed(t, "smiles\nCC\nCN\n")
	tests := []struct{ text, want string }{
		{"", "a.csv: the file is empty; give a CSV file with a header row"},
		{"id,structure\n", `a.csv: row 1: no column "smiles" among id, structure; name the column of the SMILES with --smiles`},
		{"smiles,id\nCC,1\nCN\n", "a.csv: row 3: wrong number of fields; give it 2 fields, as the header has"},
		{"smiles\nC\"C\n", `a.csv: row 2: bare " in non-quoted-field`},
		{whole[:len(whole)-9], "a.csv: cannot read the file: unexpected EOF"},
		{"\x1f\x8bnot gzip at all", "a.csv: cannot read the file: gzip: invalid header"},
	}
	for _, tt := range tests {
		err := drain(file(t, "a.csv", tt.text))
		if err == nil || err.Error() != tt.want || !fault.Is(err) {
			t.Errorf("%q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
	if err := drain("none.csv"); err == nil || err.Error() != "none.csv: cannot read the file: no such file or directory" {
		t.Errorf("missing file: %v", err)
	}
	if err := drain(t.TempDir()); !fault.Is(err) {
		t.Errorf("a folder in place of a file: %v, want a fault", err)
	}
}

func drain(name string) error {
	table, err := Open(name, "smiles")
	if err != nil {
		return err
	}
	defer table.Close()
	for {
		if _, err := table.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestSupportFindsItsLabels(t *testing.T) {
	tests := []struct{ text, column string }{
		{"smiles,label\nC,1\nN,0\nO,\n", "label"},
		{"name,Active,smiles\na,1.0,C\nb,0,N\nc, ,O\n", "Active"},
		{"smiles,NR-AR\nC,1\nN,0\nO,\n", "NR-AR"},
	}
	for _, tt := range tests {
		s, err := ReadSupport(file(t, "s.csv", tt.text), "smiles")
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if s.Column != tt.column || len(s.SMILES) != 2 || s.SMILES[1] != "N" || s.Labels[0] != 1 || s.Labels[1] != 0 || s.Empty != 1 || s.Lines[1] != 3 {
			t.Errorf("%q: read %+v", tt.text, s)
		}
	}
}

func TestSupportFaults(t *testing.T) {
	tests := []struct{ text, want string }{
		{"smiles,label\nC,1\nN,yes\n", `s.csv: row 3, column label: label "yes" is not 0, 1 or empty; write 1 for active, 0 for inactive, or leave the cell empty`},
		{"smiles,label\nC,1\n", "s.csv: column label: there is no inactive molecule (label 0); a support set needs one or more of each class"},
		{"smiles,label\nC,0\n", "s.csv: column label: there is no active molecule (label 1); a support set needs one or more of each class"},
		{"smiles,a,b\nC,0,1\n", "s.csv: row 1: which column holds the labels is not clear from smiles, a, b; keep two columns, the SMILES and the labels, or call one column label"},
		{"smiles,label,active\nC,0,1\n", "s.csv: row 1: which column holds the labels is not clear from smiles, label, active; keep two columns, the SMILES and the labels, or call one column label"},
		{"smiles\nC\n", "s.csv: row 1: which column holds the labels is not clear from smiles; keep two columns, the SMILES and the labels, or call one column label"},
	}
	for _, tt := range tests {
		_, err := ReadSupport(file(t, "s.csv", tt.text), "smiles")
		if err == nil || err.Error() != tt.want || !fault.Is(err) {
			t.Errorf("%q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}
