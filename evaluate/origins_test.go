package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pacia/data"
	"pacia/run/runconfig"
)

// TestOriginsOfAFile: the molecules are those of the store, each with its first row. A row that cannot be read, because it
// has a cell too many or a broken SMILES, is not one of them, nor does it take away the molecule that it repeats.
func TestOriginsOfAFile(t *testing.T) {
	from := runconfig.Data{Path: filepath.Join(t.TempDir(), "assays.csv"), SMILES: "smiles", Cache: t.TempDir()}
	text := "smiles,name,a,b\nCCO,e,1,0\nCCN,,0,1\nCCO,,1,0,1\nC(C,,1,1\nOCC,,1,0\nC[NH3+].[Cl-],salt,,0\nCCC,p,0,0\n"
	if err := os.WriteFile(from.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	checkOrigins(t, from, "a", "map[0:{CCO CCO e 2} 1:{CCN CCN  3} 3:{CCC CCC p 8}]")
	checkOrigins(t, from, "b", "map[0:{CCO CCO e 2} 1:{CCN CCN  3} 2:{CN C[NH3+].[Cl-] salt 7} 3:{CCC CCC p 8}]")
}

// TestOriginsOfAFolder: molecules that a file has twice are those of the data set, without ties.
func TestOriginsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	from := runconfig.Data{Path: dir, SMILES: "smiles", Cache: t.TempDir()}
	for name, text := range map[string]string{
		"train/x.csv": "smiles,x\nCCO,1\nCC,0\n", "test/y.csv": "smiles,y,z\nCC,0,1\nOCC,1,1\nC(C,1,1\nCCO,0,1\nCCN,1,0\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	checkOrigins(t, from, "x", "map[0:{CCO CCO  2} 1:{CC CC  3}]")
	checkOrigins(t, from, "y", "map[1:{CC CC  2} 2:{CCN CCN  6}]")
	checkOrigins(t, from, "z", "map[0:{OCC OCC  3} 1:{CC CC  2} 2:{CCN CCN  6}]")
}

func checkOrigins(t *testing.T, from runconfig.Data, task, want string) {
	t.Helper()
	d, err := OpenData(t.Context(), runconfig.Config{Data: from})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i := range d.Tasks {
		if d.Tasks[i].Name != task {
			continue
		}
		of, err := NewOrigins(d, from).TaskOrigins(t.Context(), i)
		if got := fmt.Sprint(of); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", task, got, err, want)
		}
		return
	}
	t.Errorf("no task %s among %+v", task, []data.Task(d.Tasks))
}
