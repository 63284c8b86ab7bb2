package molecule

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// manySMILES returns n SMILES. Every seventh is malformed.
func manySMILES(n int) []string {
	smiles := make([]string, n)
	for i := range smiles {
		smiles[i] = "O" + strings.Repeat("C", 1+i%13)
		if i%7 == 3 {
			smiles[i] = fmt.Sprintf("C(%d", i)
		}
	}
	return smiles
}

// TestParseSMILES: store, index and errors do not depend on the number of goroutines, over
// several chunks.
func TestParseSMILES(t *testing.T) {
	smiles := manySMILES(3*128 + 17)
	want, wantIndex, wantErrs := ParseSMILES(context.Background(), smiles, 1)
	n := int32(0)
	for i := range smiles {
		if bad := i%7 == 3; bad != (wantErrs[i] != nil) || bad != (wantIndex[i] < 0) {
			t.Fatalf("%q: row %d, error %v", smiles[i], wantIndex[i], wantErrs[i])
		} else if bad {
			if !strings.Contains(wantErrs[i].Error(), smiles[i]) {
				t.Errorf("the reason for %q is another's: %v", smiles[i], wantErrs[i])
			}
			continue
		}
		if wantIndex[i] != n || want.Atoms(int(n)) != len(smiles[i]) {
			t.Fatalf("%q: row %d of %d atoms, want row %d", smiles[i], wantIndex[i], want.Atoms(int(wantIndex[i])), n)
		}
		n++
	}
	for _, threads := range []int{0, 2, 8} {
		s, index, errs := ParseSMILES(context.Background(), smiles, threads)
		if !sameStore(s, want) || !slices.Equal(index, wantIndex) || !reflect.DeepEqual(errs, wantErrs) {
			t.Errorf("%d goroutines give another result than one", threads)
		}
	}
}

func TestParseNothing(t *testing.T) {
	s, index, errs := ParseSMILES(context.Background(), nil, 2)
	if s.Len() != 0 || len(index) != 0 || len(errs) != 0 {
		t.Errorf("no SMILES give %d molecules, index %v, errors %v", s.Len(), index, errs)
	}
	if s, index, errs = ParseSMILES(context.Background(), []string{"xyz"}, 2); s.Len() != 0 || index[0] != -1 || errs[0] == nil {
		t.Errorf("a malformed SMILES gives %d molecules, index %v, errors %v", s.Len(), index, errs)
	}
}

func TestGraphsFromSMILES(t *testing.T) {
	g, errs := GraphsFromSMILES([]string{"F/C=C/F", "xyz", "[Na+]"})
	if errs[0] != nil || errs[1] == nil || errs[2] != nil {
		t.Fatalf("errors %v, want one for the second", errs)
	}
	want := []Graph{
		{
			Atoms: []uint8{8, 0, 5, 0, 5, 0, 8, 0}, RowPtr: []int32{0, 1, 3, 5, 6},
			Col: []uint16{1, 0, 2, 1, 3, 2}, Bond: []uint8{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1},
		},
		{},
		{Atoms: []uint8{10, 0}, RowPtr: []int32{0, 0}, Col: []uint16{}, Bond: []uint8{}},
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("graphs\n got %+v\nwant %+v", g, want)
	}
	s := NewStore([]Graph{g[2], g[0]})
	if s.Len() != 2 || !reflect.DeepEqual(s.Graph(0), g[2]) || !reflect.DeepEqual(s.Graph(1), g[0]) {
		t.Errorf("a store of two graphs gives %+v and %+v", s.Graph(0), s.Graph(1))
	}
}

func BenchmarkParseSMILES(b *testing.B) {
	smiles := slices.Repeat([]string{"CCN1C(=O)NC(c2ccccc2)C1=O", "O=C(Nc1ccc(Cl)cc1)c1ccccc1"}, 500)
	for b.Loop() {
		ParseSMILES(context.Background(), smiles, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(smiles)), "µs/molecule")
}

func sameStore(a, b *Store) bool {
	x, y := &a.arrays, &b.arrays
	return slices.Equal(x.MolPtr, y.MolPtr) && slices.Equal(x.EdgePtr, y.EdgePtr) && slices.Equal(x.RowPtr, y.RowPtr) &&
		slices.Equal(x.Col, y.Col) && slices.Equal(x.Atoms, y.Atoms) && slices.Equal(x.Bonds, y.Bonds)
}
