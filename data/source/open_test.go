package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// assays has a molecule that cannot be parsed, and missing labels.
const assays = `smiles,A,B
CCO,1,
CC(,0,1
F/C=C/F,0,0
,1,1
[C@](F)(Cl)(Br)I,,1
C,1,0
`

// checkAssays compares d with the expected content of assays.
func checkAssays(t *testing.T, d *data.Dataset) {
	t.Helper()
	want := molecule.NewStore(graphs(t, "CCO", "F/C=C/F", "[C@](F)(Cl)(Br)I", "C"))
	if !sameStore(d.Store.(*molecule.Store), want) {
		t.Errorf("store of %d molecules is not that of the four", d.Store.Len())
	}
	wantTasks := []data.Task{
		{Name: "A", Rows: []int32{0, 1, 3}, Labels: []uint8{1, 0, 1}},
		{Name: "B", Rows: []int32{1, 2, 3}, Labels: []uint8{0, 1, 0}},
	}
	for i := range wantTasks {
		wantTasks[i].SortClasses()
	}
	if !reflect.DeepEqual(d.Tasks, wantTasks) {
		t.Errorf("tasks\n got %+v\nwant %+v", d.Tasks, wantTasks)
	}
	if !slices.Equal(d.Tasks[0].Class(0), []int32{1}) || !slices.Equal(d.Tasks[1].Class(0), []int32{0, 2}) {
		t.Errorf("inactive at %v and %v, want [1] and [0 2]", d.Tasks[0].Class(0), d.Tasks[1].Class(0))
	}
	wantSkipped := []data.Skipped{
		{Row: 3, SMILES: "CC(", Reason: "SMILES Parse Error: syntax error while parsing: CC("},
		{Row: 5, SMILES: "", Reason: "empty SMILES"},
	}
	if !slices.Equal(d.Skipped, wantSkipped) {
		t.Errorf("left out\n got %+v\nwant %+v", d.Skipped, wantSkipped)
	}
	if d.Name != "assays" || len(d.Hash) != 64 {
		t.Errorf("name %q, hash %q", d.Name, d.Hash)
	}
}

func graphs(t testing.TB, smiles ...string) []molecule.Graph {
	t.Helper()
	g, errs := molecule.GraphsFromSMILES(smiles)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func sameStore(a, b *molecule.Store) bool {
	return slices.EqualFunc(storedGraphs(a), storedGraphs(b), func(g, h molecule.Graph) bool { return reflect.DeepEqual(g, h) })
}

func storedGraphs(s *molecule.Store) (all []molecule.Graph) {
	for i := range s.Len() {
		all = append(all, s.Graph(i))
	}
	return all
}

func TestOpenBuildsThenFinds(t *testing.T) {
	path, cache := writeFile(t, "assays.csv", assays), t.TempDir()
	for _, built := range []bool{true, false} {
		d := open(t, path, cache)
		checkAssays(t, d)
		info, err := os.Stat(d.Stored.Path)
		if err != nil || d.Stored.Built != built || d.Stored.Bytes != info.Size() || d.Mapped == nil {
			t.Errorf("stored %+v (%v), want a mapped file, built now: %v", d.Stored, err, built)
		}
	}
	if files, _ := os.ReadDir(cache); len(files) != 1 {
		t.Errorf("%d files in the cache, want the store alone: %v", len(files), files)
	}
}

func TestOpenReadsGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(assays)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	checkAssays(t, open(t, writeFile(t, "assays.csv.gz", b.String()), t.TempDir()))
}

// TestOpenDistinguishesInputs: a file with another content, or another SMILES column, must
// not be read from the store of the first.
func TestOpenDistinguishesInputs(t *testing.T) {
	cache := t.TempDir()
	path := writeFile(t, "assays.csv", assays)
	open(t, path, cache)
	if err := os.WriteFile(path, []byte(assays+"CC,1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := open(t, path, cache); d.Store.Len() != 5 || !d.Stored.Built {
		t.Errorf("the changed file has %d molecules, want 5", d.Store.Len())
	}
	if a, b := storeKey("x", "smiles"), storeKey("x", "SMILES"); a == b {
		t.Error("two columns share a key")
	}
}

func TestDamagedStoresAreBuiltAgain(t *testing.T) {
	path, cache := writeFile(t, "assays.csv", assays), t.TempDir()
	file := open(t, path, cache).Stored.Path
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string][]byte{
		"empty": {}, "cut header": whole[:40], "cut": whole[:len(whole)-1], "longer": append(slices.Clone(whole), 0),
		"text": []byte(strings.Repeat("not a store ", 100)),
	}
	for _, at := range []int{0, 9, 20, 50, 80, headerSize - 7, headerSize, headerSize + 30, len(whole) - 1} {
		flipped := slices.Clone(whole)
		flipped[at] ^= 0x10
		damages[fmt.Sprintf("byte %d of %d", at, len(whole))] = flipped
	}
	for name, content := range damages {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		log := captureLog(t)
		d := open(t, path, cache)
		checkAssays(t, d)
		if !d.Stored.Built || !strings.Contains(log.String(), "is damaged and is built again") {
			t.Errorf("%s: built again: %v, log %q", name, d.Stored.Built, log)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: the store was not mended (%v)", name, err)
		}
	}
}

// captureLog sends the log to a buffer until the test ends.
func captureLog(t *testing.T) *bytes.Buffer {
	t.Helper()
	old := slog.Default()
	t.Cleanup(func() { slog.SetDefault(old) })
	b := new(bytes.Buffer)
	slog.SetDefault(slog.New(slog.NewTextHandler(b, nil)))
	return b
}

func TestOpenWithoutCache(t *testing.T) {
	path := writeFile(t, "assays.csv", assays)
	log := captureLog(t)
	d := open(t, path, filepath.Join(path, "not a folder"))
	checkAssays(t, d)
	if d.Mapped != nil || d.Stored.Path != "" || !strings.Contains(log.String(), "no graph store") {
		t.Errorf("stored %+v, log %q; want a data set in memory and a warning", d.Stored, log)
	}
}

func TestOpenTogether(t *testing.T) {
	path, cache := writeFile(t, "assays.csv", assays), t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				d, err := Open(context.Background(), path, Options{Cache: cache, Threads: 2})
				if err != nil {
					t.Error(err)
					return
				}
				checkAssays(t, d)
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if files, _ := os.ReadDir(cache); len(files) != 1 {
		t.Errorf("%d files in the cache, want the store alone: %v", len(files), files)
	}
}

func TestCloseTwice(t *testing.T) {
	d, err := Open(context.Background(), writeFile(t, "assays.csv", assays), Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if d.Store.Len() != 0 || len(d.Tasks[0].Rows) != 3 {
		t.Errorf("after closing %d molecules (want 0), %d rows of task A (want 3)", d.Store.Len(), len(d.Tasks[0].Rows))
	}
}
