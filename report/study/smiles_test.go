package study

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacia/data"
	"pacia/run/runconfig"
)

// TestSMILESOfAFile: the molecules are those of the store. A row that cannot be read, because it has a cell too many or a
// broken SMILES, is not one of them, nor does it take away the molecule that it repeats.
func TestSMILESOfAFile(t *testing.T) {
	from := runconfig.Data{Path: filepath.Join(t.TempDir(), "assays.csv"), SMILES: "smiles"}
	if err := os.WriteFile(from.Path, []byte("smiles,a,b\nCCO,1,0\nCCN,0,1\nCCO,1,0,1\nC(C,1,1\nOCC,1,0\nCCC,0,0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ds, err := data.Open(t.Context(), from.Path, data.Options{Options: from.Reading(), Rows: from.Rows(), Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ds.Close()
	got, err := smiles(t.Context(), ds, from)
	if err != nil || !slices.Equal(got, []string{"CCO", "CCN", "CCC"}) || ds.Store.Len() != 3 {
		t.Errorf("%q (%v), the store has %d; want CCO, CCN and CCC", got, err, ds.Store.Len())
	}
}
