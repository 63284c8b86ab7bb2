package pretrain

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// chains returns n different molecules.
func chains(n int) (list []string) {
	for i := range n {
		list = append(list, strings.Repeat("C", 1+i/2)+[]string{"O", "N"}[i%2])
	}
	return list
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOpen: tables and texts, plain and gzipped, give the same molecules. Unusable
// entries are listed, and repeated ones are left out.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	smiles := append(chains(30), "CO", "not a molecule", large)
	table := "id,Smiles\n"
	text := "\ufeff\n"
	for i, s := range smiles {
		table += fmt.Sprintf("%d,%s\n", i, s)
		text += strings.ReplaceAll(s, " ", "_") + " name, of it\r\n"
	}
	put(t, "a.csv", []byte(table))
	put(t, "b.csv.gz", zipped(t, table))
	put(t, "c.smi", []byte(text))
	put(t, "d.txt.gz", zipped(t, text))
	for _, path := range []string{"a.csv", "b.csv.gz", "c.smi", "d.txt.gz"} {
		l, err := Open(t.Context(), Source{Path: path, Threads: 1})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if l.Len() != 30 || l.Repeated != 1 || len(l.Skipped) != 2 || l.Name != path[:1] {
			t.Errorf("%s: %q has %d molecules, %d again, and %v", path, l.Name, l.Len(), l.Repeated, l.Skipped)
			continue
		}
		if s := l.Skipped[0]; s.Row != 33 {
			t.Errorf("%s: %+v is not of line 33", path, s)
		}
		if s := l.Skipped[1]; s.Row != 34 || s.Reason != "1001 atoms, more than 1000" {
			t.Errorf("%s: row %d, %s", path, s.Row, s.Reason)
		}
	}
}

// large has 1,001 atoms, but no bonds, which would take RDKit long.
var large = strings.Repeat("C.", 1000) + "C"

func TestOpenFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	few := strings.Join(chains(5), "\n")
	put(t, "few.smi", []byte(few))
	put(t, "none.smi", nil)
	put(t, "wrong.txt", []byte(strings.Repeat("hello\nworld\n", 20)))
	put(t, "other.csv", []byte("molecule,label\nCC,1\n"))
	put(t, "cut.smi.gz", zipped(t, few)[:20])
	for path, want := range map[string]string{
		"few.smi":    "few.smi: 5 molecules are too few to learn from; give 20 or more",
		"none.smi":   "none.smi: the file is empty; write a header and one molecule a row",
		"wrong.txt":  "wrong.txt: row 1: no column holds SMILES among hello; name it with --smiles, or the row of the header with --header",
		"other.csv":  `other.csv: 1 molecules are too few to learn from; give 20 or more`,
		"cut.smi.gz": "cut.smi.gz: damaged gzip file: unexpected EOF; fetch it again",
		"gone.smi":   "gone.smi: cannot be read: no such file or directory; check the file",
	} {
		_, err := Open(t.Context(), Source{Path: path, Threads: 1})
		if err == nil || !strings.HasPrefix(err.Error(), want) || !badinput.Is(err) {
			t.Errorf("%s: error\n  %v\nwant the fault\n  %s", path, err, want)
		}
	}
}
