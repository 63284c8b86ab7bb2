package rdkit

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestAll(t *testing.T) {
	path := os.Getenv("PACIA_ALL")
	if path == "" {
		t.Skip()
	}
	f, _ := os.Open(path)
	sc := bufio.NewScanner(f)
	n, plain, bad := 0, 0, 0
	for sc.Scan() {
		smiles := sc.Text()
		n++
		want, err := countsOf(smiles, byRDKit)
		if m, e := countsOf(smiles, byMorgan); (e == nil) != (err == nil) || !slices.Equal(m.Bit, want.Bit) || !slices.Equal(m.Count, want.Count) {
			t.Errorf("morgan %s", smiles)
			bad++
		}
		got, e := countsOf(smiles, asPlain)
		if e != nil {
			if os.Getenv("PACIA_SHOW") != "" {
				t.Logf("not plain %s", smiles)
			}
			continue
		}
		plain++
		if err != nil || !slices.Equal(got.Bit, want.Bit) || !slices.Equal(got.Count, want.Count) {
			t.Errorf("plain %s %v", smiles, err)
			bad++
		}
		if bad > 40 {
			t.Fatal("enough")
		}
	}
	t.Logf("%d, plain %d", n, plain)
	_ = strings.Join
}
