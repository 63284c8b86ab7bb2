package fsmol

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/assay"
	"pacia/internal/badinput"
)

const assays = `smiles,"a/b, c",two
CCO,1,0
CCN,0,
C(C,1,1
c1ccccc1,0.0,1.0
CCO,0,1
`

func options(split string) ConvertOptions {
	return ConvertOptions{Split: split, Threads: 2}
}

// TestFromCSV: a table is converted to tasks, and in two ways back to the table.
func TestFromCSV(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "assays.csv", assays)
	c, err := FromCSV("assays.csv", "tasks", options("0/1"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Tasks != 2 || c.Molecules != 7 || len(c.Skipped) != 1 || c.Skipped[0].Row != 4 || c.Skipped[0].File != "assays.csv" {
		t.Errorf("converted %+v", c)
	}
	if list, err := os.ReadFile("tasks/left-out.csv"); err != nil || !strings.HasPrefix(string(list), "file,row,smiles,reason\nassays.csv,4,C(C,") {
		t.Errorf("left-out.csv: %s (%v)", list, err)
	}
	d := read(t, "tasks", true)
	if len(d.tasks) != 2 || !slices.Equal(d.split.Train, []int{0}) || !slices.Equal(d.split.Test, []int{1}) || d.tasks[0].Name != "a_b, c" {
		t.Fatalf("tasks %+v", d.tasks)
	}
	if !slices.Equal(d.tasks[0].Labels, []uint8{1, 0, 0, 0}) || !slices.Equal(d.tasks[1].Labels, []uint8{0, 1, 1}) {
		t.Errorf("labels %v and %v", d.tasks[0].Labels, d.tasks[1].Labels)
	}
	molecules, err := readTask(t.Context(), "tasks/train/a_b, c.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	want, err := FromSMILES("c1ccccc1")
	if err != nil {
		t.Fatal(err)
	}
	if m := molecules[2]; m.Assay != "a/b, c" || !equalGraphs(m.Graph, want.Graph) || !slices.Equal(m.Fingerprint, want.Fingerprint) ||
		!slices.Equal(m.Graph.Types, want.Graph.Types) {
		t.Errorf("benzene is %+v", m)
	}

	if _, err := ToCSV("tasks", "wide.csv.gz", ""); err != nil {
		t.Fatal(err)
	}
	got, err := readTable(t.Context(), "wide.csv.gz", assay.Options{}, -1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.SMILES, []string{"CCO", "CCN", "c1ccccc1", "CCO"}) || got.Tasks[0].Name != "a/b, c" ||
		!slices.Equal(got.Tasks[0].Labels, []uint8{1, 0, 0, 0}) || !slices.Equal(got.Tasks[1].Rows, []int32{0, 2, 3}) {
		t.Errorf("back as one table: %+v", got)
	}

	if c, err := ToCSV("tasks", "tables", ""); err != nil || c.Tasks != 2 || c.Molecules != 7 {
		t.Fatalf("%+v (%v)", c, err)
	}
	if _, err := FromCSV("tables", "again", options("auto")); err != nil { // the folders are the split
		t.Fatal(err)
	}
	for _, name := range []string{"train/a_b, c.jsonl.gz", "test/two.jsonl.gz"} {
		a, errA := os.ReadFile(filepath.Join("tasks", name))
		b, errB := os.ReadFile(filepath.Join("again", name))
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			t.Errorf("%s: another file after converting back (%v, %v)", name, errA, errB)
		}
	}
}

func TestFromFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "in/one.csv", "smiles,label\nC,1\nN,0\n")
	write(t, "in/two.csv.gz", zipped("label,smiles\n1,C\n0,N\n"))
	write(t, "in/three.csv", "smiles,label\nC,1\nN,0\n")
	o := options("one,three/two")
	o.Valid = 1
	if _, err := FromCSV("in", "out", o); err != nil {
		t.Fatal(err)
	}
	d := read(t, "out", true)
	if len(d.split.Train) != 1 || len(d.split.Valid) != 1 || len(d.split.Test) != 1 || d.tasks[d.split.Test[0]].Name != "two" {
		t.Errorf("parts %v %v %v of %+v", d.split.Train, d.split.Valid, d.split.Test, d.tasks)
	}
}

func TestConvertFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "assays.csv", assays)
	write(t, "there/file", "")
	write(t, "same/a.csv", "smiles,x/y\nC,1\n")
	write(t, "same/b.csv", "smiles,x_y\nC,1\n")
	write(t, "bad.csv", "smiles,a\nC,maybe\n")
	write(t, "none.csv", "smiles,a,b\nC(,1,0\n")
	write(t, "short.csv", "smiles,a\n")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, to, split, want string }{
		{"assays.csv", "there", "0/1", "there: is there already; remove it, or name another folder"},
		{"same", "out", "0/1", "same/b.csv: column x_y: would be the file x_y.jsonl.gz, as column x/y of same/a.csv; rename one of the two"},
		{"bad.csv", "out", "0/1", `bad.csv: row 2, column a: label "maybe" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, ` +
			"leave the cell empty, or name it in --active-words or --inactive-words; --label chooses the columns that are tasks, --ignore leaves one out"},
		{"short.csv", "out", "0/1", "short.csv: no molecules below the header; write one molecule a row"},
		{"none.csv", "out", "0/1", "none.csv: no task with a molecule that can be read; check --smiles and --split"},
		{"empty", "out", "0/1", "empty: no CSV files (*.csv, *.csv.gz); give a CSV, or a folder of them"},
		{"nowhere", "out", "0/1", "nowhere: cannot be read: no such file or directory; check the file"},
		{"assays.csv", "out", "auto", `no split of tasks is published for data set assays; write the tasks as TRAIN/TEST, such as "0-8/9-11" or "assay_a,assay_b/assay_c"`},
	} {
		_, err := FromCSV(tt.from, tt.to, options(tt.split))
		if !badinput.Is(err) || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	o := options("0/1")
	o.SMILES = "structure"
	if _, err := FromCSV("assays.csv", "out", o); err == nil || !strings.HasPrefix(err.Error(),
		`assays.csv: row 1: no column "structure" among `) {
		t.Error(err)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("something was written")
	}
	if leftovers, _ := filepath.Glob("*.tmp"); len(leftovers) > 0 {
		t.Errorf("left behind: %v", leftovers)
	}
	if _, err := ToCSV("empty", "out.csv", ""); !badinput.Is(err) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestSkippedList: reasons may contain commas.
func TestSkippedList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.csv")
	var s Skipped
	s.File, s.Row, s.SMILES, s.Reason = "a.csv", 2, "C", `one, "two"`
	if err := writeSkipped(path, []Skipped{s}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 2 || !slices.Equal(rows[1], []string{"a.csv", "2", "C", `one, "two"`}) {
		t.Errorf("rows %q (%v)", rows, err)
	}
}
