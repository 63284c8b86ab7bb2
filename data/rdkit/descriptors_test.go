package rdkit

import (
	"math"
	"strings"
	"sync"
	"testing"
)

func descriptorNames(t *testing.T) []string {
	t.Helper()
	names, err := DescriptorNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// described returns the descriptors of a SMILES by name.
func described(t *testing.T, smiles string) map[string]float64 {
	t.Helper()
	values, err := Descriptors(t.Context(), nil, smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	by := make(map[string]float64)
	for i, name := range descriptorNames(t) {
		by[name] = values[i]
	}
	if len(by) != DescriptorCount {
		t.Fatalf("%d different names, want %d", len(by), DescriptorCount)
	}
	return by
}

// TestDescriptors checks values for ethanol, C–C–O, and benzene that were calculated by hand. Package
// fsmol compares all 200 descriptors with FS-Mol's files.
func TestDescriptors(t *testing.T) {
	const weight = 2*12.011 + 15.999 + 6*1.008
	// The intrinsic states of CH₃, CH₂ and OH are 2, 1.5 and 6. A pair k bonds apart contributes its
	// difference divided by (k+1)².
	ch2, oh := 1.5-0.5/4-4.5/4, 6+4./9+4.5/4
	for _, c := range []struct {
		smiles, name string
		want         float64
	}{
		{"CCO", "MolWt", weight},
		{"CCO", "HeavyAtomMolWt", weight - 6*1.008},
		{"CCO", "NumValenceElectrons", 20},
		{"CCO", "Chi0", 2 + math.Sqrt(0.5)},
		{"CCO", "Chi1", 2 * math.Sqrt(0.5)},
		{"CCO", "MaxEStateIndex", oh},
		{"CCO", "MinEStateIndex", ch2},
		{"CCO", "fr_Al_OH", 1},
		{"CCO", "fr_halogen", 0},
		{"CCO", "NumHDonors", 1},
		{"c1ccccc1", "RingCount", 1},
		{"c1ccccc1", "fr_benzene", 1},
		// x⁶ − 6x⁴ + 9x² − 4 has the coefficients 1, 6, 9, 4.
		{"c1ccccc1", "Ipc", 20 * (math.Log2(20) - (6*math.Log2(6)+9*math.Log2(9)+4*2)/20)},
		// Six bonds, one ring; each atom's distances are 2/3 · (1+1+2+2+3).
		{"c1ccccc1", "BalabanJ", 6. / 2 * 6 / 6},
		{"[CH3]", "NumRadicalElectrons", 1},
		{"C", "BertzCT", 0},
	} {
		if got := described(t, c.smiles)[c.name]; math.Abs(got-c.want) > 1e-9*(1+math.Abs(c.want)) {
			t.Errorf("%s of %s: %v, want %v", c.name, c.smiles, got, c.want)
		}
	}
}

// TestSumsOfBins: the sum over bins is the total.
func TestSumsOfBins(t *testing.T) {
	by := described(t, "CC(=O)Oc1ccccc1C(=O)O")
	sum := func(family string) (all float64) {
		for name, value := range by {
			if strings.HasPrefix(name, family) {
				all += value
			}
		}
		return all
	}
	area := sum("EState_VSA")
	for _, family := range []string{"PEOE_VSA", "SMR_VSA", "SlogP_VSA"} {
		if got := sum(family); math.Abs(got-area) > 1e-9*area {
			t.Errorf("the bins of %s sum to %v, those of EState_VSA to %v", family, got, area)
		}
	}
	// Their sum is that of the intrinsic states: CH₃, four carbons with three bonds to atoms, four
	// CH of the ring, two C=O, C–O–C and OH.
	states := 2 + 4*5./3 + 4*2 + 2*7 + 3.5 + 6
	if got := sum("VSA_EState"); math.Abs(got-states) > 1e-9*states {
		t.Errorf("the states of all atoms have the sum %v, want %v", got, states)
	}
}

// TestUndefinedDescriptors: platinum has no Gasteiger parameters, so that only partial charges are
// undefined.
func TestUndefinedDescriptors(t *testing.T) {
	by := described(t, "N[Pt](N)(Cl)Cl")
	for name, value := range by {
		charge := strings.HasSuffix(name, "PartialCharge")
		if finite := !math.IsNaN(value) && !math.IsInf(value, 0); finite == charge {
			t.Errorf("%s of cisplatin is %v", name, value)
		}
	}
}

func TestRefusedDescriptors(t *testing.T) {
	for _, smiles := range []string{"", "C1CC", "CC(C)(C)(C)C", strings.Repeat("C", MaxAtoms+1)} {
		if values, err := Descriptors(t.Context(), nil, smiles); err == nil || len(values) != 0 {
			t.Errorf("%.20q has %d descriptors (%v)", smiles, len(values), err)
		}
	}
}

// TestDescriptorsSideBySide: threads share the patterns, and get the same values as one alone.
func TestDescriptorsSideBySide(t *testing.T) {
	molecules := []string{"CC(=O)Oc1ccccc1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "O=[N+]([O-])c1ccccc1", "C1CCNCC1.Cl"}
	names := descriptorNames(t)
	var want [][]float64
	for _, smiles := range molecules {
		values, err := Descriptors(t.Context(), nil, smiles)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, values)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, smiles := range molecules {
				got, err := Descriptors(t.Context(), nil, smiles)
				if err != nil {
					t.Error(err)
					continue
				}
				for k, v := range got {
					if v != want[i][k] {
						t.Errorf("%s of %s: %v, alone %v", names[k], smiles, v, want[i][k])
					}
				}
			}
		})
	}
	wg.Wait()
}
