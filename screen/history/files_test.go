package history

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// chains are seven molecules by their atoms, with the values of two assays.
var chains = [][]any{
	{"C C O", 5.5, "yes"}, {"C C N", "> 1000", "no"}, {"C C Cl", 70, "no"}, {"C C C C", 300, "yes"}, {"C C S", 12, "no"},
	{"C C Br", "n.d.", "yes"}, {"O C C O", "<1", ""},
}

var namesOfAssays = []any{"Abl IC50 (nM)", "toxic"}

// rows returns the table of the chains, with a header.
func rows() [][]any {
	all := [][]any{append([]any{"smiles"}, namesOfAssays...)}
	for _, c := range chains {
		all = append(all, []any{strings.ReplaceAll(c[0].(string), " ", ""), c[1], c[2]})
	}
	return all
}

// separated returns the table as text.
func separated(by string) string {
	text := ""
	for _, row := range rows() {
		text += fmt.Sprint(row[0]) + by + fmt.Sprint(row[1]) + by + fmt.Sprint(row[2]) + "\n"
	}
	return text
}

// sdf returns the table as an SD file, with a data field for each assay.
func sdf() string {
	var b strings.Builder
	for i, c := range chains {
		atoms := strings.Fields(c[0].(string))
		fmt.Fprintf(&b, "A-%d\n\n\n%3d%3d  0  0  0  0  0  0  0  0999 V2000\n", i, len(atoms), len(atoms)-1)
		for _, a := range atoms {
			fmt.Fprintf(&b, "    0.0000    0.0000    0.0000 %-3s 0  0  0  0  0  0  0  0  0  0  0  0\n", a)
		}
		for k := range atoms[1:] {
			fmt.Fprintf(&b, "%3d%3d  1  0\n", k+1, k+2)
		}
		b.WriteString("M  END\n")
		for k, name := range namesOfAssays {
			fmt.Fprintf(&b, ">  <%v>\n%v\n\n", name, c[k+1])
		}
		b.WriteString("$$$$\n")
	}
	return b.String()
}

func workbook(t *testing.T) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range rows() {
		at, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := f.SetSheetRow("Sheet1", at, &row); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipped(t *testing.T, text string, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFilesOfOneTable: a table has the same past assays in every kind of file, which its content decides.
func TestFilesOfOneTable(t *testing.T) {
	for name, text := range map[string]string{
		"past.csv": separated(","), "past.tsv": separated("\t"), "semicolons.txt": separated(";"), "past.sdf": sdf(), "no end": sdf(),
		"past.xlsx": workbook(t), "past.csv.gz": gzipped(t, separated(",")), "past.sdf.gz": gzipped(t, sdf()),
		"past.zip": zipped(t, separated(","), "past.csv"),
	} {
		p, _, err := read(t, put(t, filepath.Join(t.TempDir(), name), text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for assay, want := range map[string]string{"Abl IC50 (nM)": "10>0>6>2>5>1", "toxic": "0=5=9>1=2=6"} {
			if got := order(p, assay); got != want {
				t.Errorf("%s: %s is %s, want %s; assays %q", name, assay, got, want, p.Assays())
			}
		}
		if n, m := len(p.Assays()), p.Memory().Molecules(); n != 2 || m != 7 {
			t.Errorf("%s: %d assays of %d molecules, want 2 of 7", name, n, m)
		}
	}
}

// TestRefusedFiles: what is not one table is refused as elsewhere, with the remedy.
func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "two.zip"), zipped(t, separated(","), "a.csv", "b.csv"))
	put(t, filepath.Join(dir, "cut.gz"), gzipped(t, separated(","))[:40])
	put(t, filepath.Join(dir, "empty.csv"), "")
	for path, want := range map[string]string{
		"-":                                 "past assays are not read from the standard input; write --history FILE",
		"-:toxic":                           "past assays are not read from the standard input; write --history FILE",
		filepath.Join(dir, "folder"):        "folder: cannot be read: is a directory; check --history",
		filepath.Join(dir, "none.csv"):      "none.csv: cannot be read: no such file or directory; check --history",
		filepath.Join(dir, "two.zip"):       "two.zip: a zip file of 2 files: a.csv, b.csv; unpack it, and name the files",
		filepath.Join(dir, "cut.gz"):        "cut.gz: ",
		filepath.Join(dir, "empty.csv"):     "empty.csv: ",
		filepath.Join(dir, "folder:toxic"):  "folder: cannot be read: is a directory; check --history",
		filepath.Join(dir, "none.csv:; -x"): "none.csv: ",
	} {
		if _, _, err := read(t, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
