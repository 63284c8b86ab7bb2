package fsmol

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// write writes a file into a test's folder.
func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer does not fail
	_ = z.Close()
	return b.String()
}

// zeros returns a list of n zeros.
func zeros(n int) string { return "[" + strings.Repeat("0, ", n-1) + "0]" }

// hydrogenCyanide returns a line as in the benchmark's files.
func hydrogenCyanide() string {
	return `{"SMILES": "C#N", "Property": "1.0", "Assay_ID": "CHEMBL1", "RegressionProperty": "7.5", "LogRegressionProperty": "", ` +
		`"Relation": "=", "AssayType": "B", "fingerprints": ` + strings.Replace(zeros(Counts), "0", "300", 1) +
		`, "descriptors": [1.5, NaN, -Infinity, 0.0], "graph": {"adjacency_lists": [[], [], [[0, 1]]], "node_types": ["C", "N"], ` +
		`"node_features": [` +
		`[0.0, 1.0, ` + zeros(14)[1:41] + `, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], ` +
		`[0.0, 0.0, 1.0, ` + zeros(13)[1:38] + `, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]]}}`
}

func TestReadTask(t *testing.T) {
	text := hydrogenCyanide() + "\n\n" + strings.Replace(hydrogenCyanide(), `"1.0"`, `0`, 1) + "\n"
	for _, content := range []string{text, zipped(text)} {
		got, err := readTask(t.Context(), write(t, filepath.Join(t.TempDir(), "CHEMBL1.jsonl.gz"), content))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || got[0].Label != 1 || got[1].Label != 0 {
			t.Fatalf("%d molecules, %+v", len(got), got)
		}
		m := got[0]
		d := m.Descriptors
		if len(d) != 4 || d[0] != 1.5 || d[1] == d[1] || !math.IsInf(float64(d[2]), -1) || d[3] != 0 {
			t.Errorf("descriptors %v", d)
		}
		if len(m.Fingerprint) != Counts || m.Fingerprint[0] != 300 {
			t.Errorf("fingerprint %v…", m.Fingerprint[:3])
		}
		m.Descriptors, m.Fingerprint = nil, nil
		want := Molecule{SMILES: "C#N", Label: 1, Assay: "CHEMBL1", Relation: "=", AssayType: "B", Regression: "7.5",
			Graph: Graph{Atoms: []uint32{1<<1 | 1<<16 | 1<<24 | 1<<29, 1<<2 | 1<<16 | 1<<24 | 1<<29}, Types: []string{"C", "N"},
				Bonds: [3][]uint16{nil, nil, {0, 1}}}}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("got  %+v\nwant %+v", m, want)
		}
		made, err := FromSMILES("C#N")
		if err != nil || !reflect.DeepEqual(made.Graph, want.Graph) {
			t.Errorf("RDKit gives %+v (%v)\nwant %+v", made.Graph, err, want.Graph)
		}
	}
}

// TestMalformed makes one change at a time to a valid file.
func TestMalformed(t *testing.T) {
	t.Chdir(t.TempDir())
	good := hydrogenCyanide()
	swap := func(old, other string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the line", old)
		}
		return good + "\n" + strings.Replace(good, old, other, 1) + "\n"
	}
	large := strings.Replace(good, `"node_features": [`, `"node_features": [`+strings.Repeat("[1"+strings.Repeat(",0", 31)+"],", 999), 1)
	large = strings.Replace(large, `["C", "N"]`, "null", 1)
	damaged := zipped(good)
	for _, tt := range []struct{ text, want string }{
		{swap(`"C#N"`, `"C#N`), "row 2: broken JSON: invalid character 'P' after object key:value pair; correct or remove the line"},
		{good + "\n" + good[:200], "row 2: broken JSON: unexpected end of JSON input; correct or remove the line"},
		{swap(`"C#N"`, `null`), "row 2: no SMILES; correct or remove the line"},
		{swap(`"1.0"`, `"yes"`), `row 2: label: Property "yes" is not a number; correct or remove the line`},
		{swap(`"1.0"`, `""`), `row 2: label: Property "" is not a number; correct or remove the line`},
		{swap(`"1.0"`, `NaN`), `row 2: label: Property "NaN" is not a number; correct or remove the line`},
		{swap(`"1.0"`, `null`), `row 2: no Property; correct or remove the line`},
		{swap("[300, ", "["), "row 2: fingerprints: 2047 counts instead of 2048; correct or remove the line"},
		{swap("[300, ", "[1.5, "), "row 2: fingerprints: 1.5 is not a whole number of 0 to 65535; correct or remove the line"},
		{swap("[300, ", "[-1, "), "row 2: fingerprints: -1 is not a whole number of 0 to 65535; correct or remove the line"},
		{swap("[1.5, ", "["), "row 2: descriptors: 3, while the first molecule has 4; correct or remove the line"},
		{swap("[1.5, ", `["a", `), `row 2: descriptors: "a" is not a number; correct or remove the line`},
		{swap("[0.0, 1.0, ", "[1.0, "), "row 2: node_features of atom 0: 31 instead of 32; correct or remove the line"},
		{swap("[0.0, 1.0, ", "[0.0, 0.5, "), "row 2: node_features of atom 0: 0.5 is neither 0 nor 1; correct or remove the line"},
		{swap(`["C", "N"]`, `["C"]`), "row 2: 1 node_types for 2 atoms; correct or remove the line"},
		{swap("[], [], [[0, 1]]", "[], [[0, 1]]"), "row 2: 2 adjacency_lists instead of 3 (single, double, triple bonds); correct or remove the line"},
		{swap("[], [], [[0, 1]]", "[], [], [], [[0, 1]]"), "row 2: more than 3 adjacency_lists; correct or remove the line"},
		{swap("[[0, 1]]", "[[0, 2]]"), "row 2: adjacency_lists: atom 2 is not a whole number of 0 to 1; correct or remove the line"},
		{swap("[[0, 1]]", "[[0, 1, 1]]"), "row 2: adjacency_lists: [0, 1, 1] does not join two atoms; correct or remove the line"},
		{swap("[[0, 1]]", "[[1, 1]]"), "row 2: adjacency_lists: [1, 1] does not join two atoms; correct or remove the line"},
		{swap(`"graph"`, `"gra"`), "row 2: no graph.node_features; correct or remove the line"},
		{large, "row 1: more than 1000 atoms; correct or remove the line"},
		{"", "no molecules; write a molecule a line, or remove the file"},
		{zipped(strings.Repeat("\n", 1<<20)), "refused: it holds more lines than it has bytes; unpack it, if it is what it should be"},
		{damaged[:len(damaged)-9], "damaged gzip file: unexpected EOF; fetch it again"},
		{strings.Repeat(" ", 5<<20), "row 1: longer than 4 MiB; remove the line"},
	} {
		_, err := readTask(t.Context(), write(t, "T.jsonl.gz", tt.text))
		if want := "T.jsonl.gz: " + tt.want; err == nil || !badinput.Is(err) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := readTask(t.Context(), "none"); err == nil || err.Error() != "none: cannot be read: no such file or directory; check the file" {
		t.Error(err)
	}
	if _, err := readTask(t.Context(), "."); err == nil || err.Error() != ".: cannot be read: is a directory; check the file" {
		t.Error(err)
	}
}

// TestWriteTask: a written file reads back unchanged, and has the form of the benchmark's.
func TestWriteTask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "CHEMBL1.jsonl.gz")
	var want []Molecule
	for i, smiles := range []string{"CC(=O)Nc1ccc(O)cc1", "[Na+].[O-]C(=O)c1ccccc1", "C#N", "[CH2]C", "C[N+](C)(C)C"} {
		m, err := FromSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		m.Label, m.Assay, m.Regression = uint8(i%2), `a "quoted" <name>`, fmt.Sprint(i)
		m.Descriptors = []float32{float32(i) / 3, 1e30, -7, 0}
		want = append(want, m)
	}
	if err := writeTask(path, slices.Values(want)); err != nil {
		t.Fatal(err)
	}
	got, err := readTask(t.Context(), path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read back (%v)\n got %+v\nwant %+v", err, got, want)
	}
	// The line of TestReadTask, written again, differs only in spaces.
	m, err := parseLine([]byte(hydrogenCyanide()))
	if err != nil {
		t.Fatal(err)
	}
	a, b := string(m.appendJSON(nil)), hydrogenCyanide()
	plain := strings.NewReplacer(" ", "", "0.0", "0", "1.0", "1").Replace
	if plain(a) != plain(b) {
		t.Errorf("written\n%s\nread\n%s", a, b)
	}
}
