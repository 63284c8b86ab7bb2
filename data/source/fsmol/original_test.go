package fsmol

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/rdkit"
	"pacia/harness/golden"
)

// nearDescriptors compares descriptors with those of the benchmark, which are read as
// float32. The tolerance is 1e-6 of the larger of 1 and the number, for float32 rounding.
func nearDescriptors(t *testing.T, smiles string, want []float32) {
	t.Helper()
	got, err := rdkit.Descriptors(t.Context(), nil, smiles)
	if err != nil || len(want) != len(got) {
		t.Errorf("%s: %d descriptors (%v), want %d", smiles, len(got), err, len(want))
		return
	}
	names, err := rdkit.DescriptorNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		x, y := got[i], float64(want[i])
		if same := x == y || math.IsNaN(x) && math.IsNaN(y); !same && !(math.Abs(x-y) <= 1e-6*math.Max(1, math.Abs(y))) {
			t.Errorf("%s: %s is %v, want %v", smiles, name, x, y)
		}
	}
}

// sameAsOriginal makes the molecules of a task file of the benchmark from their SMILES, and compares the graphs.
// For molecules with the same fingerprint it also compares the descriptors: of the first seven and of every
// tenth, or of all with PACIA_LONG. It returns the number of molecules and the SMILES of those with
// another fingerprint.
func sameAsOriginal(t *testing.T, path string) (molecules int, other []string) {
	t.Helper()
	r, err := openTask(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		want, err := r.Read()
		if errors.Is(err, io.EOF) {
			return molecules, other
		}
		if err != nil {
			t.Fatal(err)
		}
		molecules++
		got, err := FromSMILES(want.SMILES)
		if err != nil {
			t.Errorf("%s: %v", want.SMILES, err)
			continue
		}
		if !slices.Equal(got.Graph.Atoms, want.Graph.Atoms) || !slices.Equal(got.Graph.Types, want.Graph.Types) {
			t.Errorf("%s: atoms\n got %x %v\nwant %x %v", want.SMILES, got.Graph.Atoms, got.Graph.Types, want.Graph.Atoms, want.Graph.Types)
		}
		for i := range want.Graph.Bonds {
			if !slices.Equal(got.Graph.Bonds[i], want.Graph.Bonds[i]) {
				t.Errorf("%s: bonds of type %d\n got %v\nwant %v", want.SMILES, i, got.Graph.Bonds[i], want.Graph.Bonds[i])
			}
		}
		if !slices.Equal(got.Fingerprint, want.Fingerprint) {
			other = append(other, want.SMILES)
		} else if molecules < 8 || molecules%10 == 0 || os.Getenv("PACIA_LONG") != "" {
			nearDescriptors(t, want.SMILES, want.Descriptors)
		}
	}
}

func TestOriginalMolecules(t *testing.T) {
	n, other := sameAsOriginal(t, filepath.Join("testdata", "original"+suffix))
	if n != 6 || len(other) > 0 {
		t.Errorf("%d molecules, other fingerprints of %v; want 6, none", n, other)
	}
}

// newer reports whether RDKit now reads a molecule differently than in the year of the
// benchmark: hydrogen isotopes now contribute to the fingerprint of their neighbour, and
// rings of sulfur-substituted triazoles are no longer aromatic.
func newer(smiles string) bool {
	return strings.Contains(smiles, "[2H]") || strings.Contains(smiles, "[3H]") || strings.Contains(smiles, "c(=S)")
}

// TestOriginalFiles reads every twentieth file or, with PACIA_LONG, all files, which takes minutes.
func TestOriginalFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	paths, err := filepath.Glob(filepath.Join(golden.Shared(t, "data/fsmol/original"), "*", "*"+suffix))
	if err != nil || len(paths) != 245 {
		t.Fatalf("%d files (%v), want 245", len(paths), err)
	}
	step := 20
	if os.Getenv("PACIA_LONG") != "" {
		step = 1
	}
	var molecules, changed int
	for i := 0; i < len(paths); i += step {
		n, other := sameAsOriginal(t, paths[i])
		molecules += n
		for _, smiles := range other {
			if changed++; !newer(smiles) {
				t.Errorf("%s: %s has another fingerprint", filepath.Base(paths[i]), smiles)
			}
		}
	}
	t.Logf("%d molecules; %d have another fingerprint in this RDKit", molecules, changed)
}
