package minimol

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// Widths of a small network of MiniMol's form.
const (
	miniEigen, miniPlace, miniAtoms, miniBonds, miniMiddle, miniWidth, miniLayers = 5, 4, 6, 3, 7, 6, 3
	miniFeatures                                                                  = 5 + 44 + 20 + 8 + 8
)

// miniMolecules returns a ring of six with a tail of two, a single atom, and two atoms. If alike, their features
// are equal, so that atoms that the graph does not distinguish have the same state.
func miniMolecules(l *opstest.Lab, signed, alike bool) input {
	l.Helper()
	bonds := [][][2]int32{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {5, 6}, {6, 7}}, {}, {{0, 1}}}
	rowPtr, molPtr, col, code, atoms := []int32{0}, []int32{0}, []int32{}, []uint8{}, []uint8{}
	for m, n := range []int32{8, 1, 2} {
		first := molPtr[m]
		for v := range n {
			for i, b := range bonds[m] {
				for side := range 2 {
					if b[side] == v {
						kind := uint8(9 * i % 70)
						if alike {
							kind = 9
						}
						col, code = append(col, first+b[1-side]), append(code, kind)
					}
				}
			}
			rowPtr = append(rowPtr, int32(len(col)))
			if alike {
				v = 0
			}
			atoms = append(atoms, uint8(1+v%4), uint8(127+v%3), uint8(v%2), uint8(v%2), uint8(v/2%2), uint8(v), uint8(v+5), uint8(v%8), uint8(v%8))
		}
		molPtr = append(molPtr, first+n)
	}
	in := input{signed: signed}
	in.rowPtr, in.col, in.molPtr = l.Ints(rowPtr...), l.Ints(col...), l.Ints(molPtr...)
	in.code, in.atoms = l.Bytes(code...), l.Must(ops.New(atoms, []int64{11, 9}, opstest.Device))
	spectrum := l.Must(spectrum(l.Must(ops.Vector(rowPtr, ops.CPU)), l.Must(ops.Vector(col, ops.CPU)), l.Must(ops.Vector(molPtr,
		ops.CPU))))
	in.spectrum = l.Must(ops.New(opstest.Singles(l.Read(spectrum)), []int64{11, spectrumWidth}, opstest.Device))
	return in
}

// miniNetwork returns the parameters of the small network.
func miniNetwork(l *opstest.Lab) (all []*ts.Tensor) {
	dense := func(name string, in, out int64) {
		all = append(all, l.Leaf(name+".W", 0, 1/math.Sqrt(float64(in)), out, in), l.Leaf(name+".b", 0, 0.3, out))
	}
	norm := func(name string, d int64) {
		all = append(all, l.Leaf(name+".γ", 1, 0.2, d), l.Leaf(name+".β", 0, 0.2, d))
	}
	step := func(name string, in, out int64) { dense(name, in, out); norm(name, out) }
	dense("eigen in", 2, miniEigen)
	dense("eigen first", miniEigen, miniEigen)
	dense("eigen second", miniEigen, miniEigen)
	dense("eigen out", miniEigen, miniPlace)
	norm("walks", 16)
	step("walks first", 16, miniPlace)
	step("walks second", miniPlace, miniPlace)
	step("atoms first", miniPlace+miniFeatures, miniAtoms)
	step("atoms second", miniAtoms, miniWidth)
	step("bonds first", 13, miniBonds)
	step("bonds second", miniBonds, miniBonds)
	for i := range miniLayers {
		dense(fmt.Sprint("bonds of layer ", i), miniBonds, miniWidth)
		step(fmt.Sprint("first of layer ", i), miniWidth, miniMiddle)
		step(fmt.Sprint("second of layer ", i), miniMiddle, miniWidth)
	}
	for i := range miniLayers - 1 {
		step(fmt.Sprint("node of layer ", i), miniWidth, miniWidth)
		dense(fmt.Sprint("out of layer ", i), miniWidth, miniWidth)
	}
	return all
}

// TestMiniMolWithoutGradients: the loops that keep nothing for gradients give the results of the
// definition in float64, on one thread and on several.
func TestMiniMolWithoutGradients(t *testing.T) {
	opstest.Locked(t, 2)
	for _, form := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		signed, alike := form[0], form[1]
		exact := opstest.New(t, 3, true)
		want := exact.Read(exact.Must(vectorsOf(miniMolecules(exact, signed, alike), miniNetwork(exact), miniLayers)))
		exact.Drop()
		for _, threads := range []int{1, 3} {
			ops.SetThreads(threads)
			l := opstest.New(t, 3, false)
			in, network := miniMolecules(l, signed, alike), miniNetwork(l)
			var got []float64
			if err := ops.WithoutGrad(func() error {
				got = l.Read(l.Must(vectorsOf(in, network, miniLayers)))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			opstest.Near(t, fmt.Sprintf("signs given %t, atoms alike %t, %d threads", signed, alike, threads), got, want, 2e-5)
			l.Drop()
		}
	}
}

// TestMiniMolReadsParametersAgain: values derived from parameters are recomputed after a write to these.
func TestMiniMolReadsParametersAgain(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 3, false)
	defer l.Drop()
	in, network, other := miniMolecules(l, false, false), miniNetwork(l), opstest.New(t, 3, false)
	defer other.Drop()
	vectors := func(network []*ts.Tensor) (all []float64) {
		if err := ops.WithoutGrad(func() error {
			all = l.Read(l.Must(vectorsOf(in, network, miniLayers)))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := vectors(network)
	change := func(network []*ts.Tensor) []*ts.Tensor {
		offset := network[len(network)-3] // of the last layer norm
		if err := ops.WithoutGrad(func() error { return offset.Fill_(ts.FloatScalar(0.5)) }); err != nil {
			t.Fatal(err)
		}
		return network
	}
	after := vectors(change(network))
	if slices.Equal(before, after) {
		t.Error("vectors are those of the parameters before the change")
	}
	opstest.Near(t, "after the change", after, vectors(change(miniNetwork(other))), 0)
}

// TestMiniMolReadsTrainedParameters: inference uses the parameters as changed by steps of Adam.
func TestMiniMolReadsTrainedParameters(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 3, false)
	defer l.Drop()
	in, network := miniMolecules(l, false, false), miniNetwork(l)
	adam, err := ops.NewAdam(network, ops.AdamOptions{LR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	defer adam.Drop()
	var first []float64
	for step := range 3 {
		var inferred []float64
		if err := ops.WithoutGrad(func() error {
			inferred = l.Read(l.Must(vectorsOf(in, network, miniLayers)))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		z := l.Must(vectorsOf(in, network, miniLayers))
		opstest.Near(t, fmt.Sprint("without gradients, after step ", step), inferred, l.Read(z), 2e-5)
		if first == nil {
			first = inferred
		} else if slices.Equal(first, inferred) {
			t.Error("the steps changed nothing")
		}
		if err := ops.Backward(l.Project(z)); err != nil {
			t.Fatal(err)
		}
		if _, err := adam.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMiniMolChecksAtoms: a category beyond the tables of the network is refused.
func TestMiniMolChecksAtoms(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 3, false)
	defer l.Drop()
	in := miniMolecules(l, false, false)
	in.atoms = l.Must(ops.New(append(make([]uint8, 98), 8), []int64{11, 9}, ops.CPU))
	_, err := vectorsOf(in, miniNetwork(l), miniLayers)
	if err == nil || !strings.Contains(err.Error(), "atom 10 has the place 8 in category 3") {
		t.Errorf("the error is %v", err)
	}
}

// TestSpectrum compares the return probabilities and eigenvalues of a ring of six with a tail with values
// by hand, and checks that eigenvectors are orthonormal.
func TestSpectrum(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, false)
	defer l.Drop()
	s := l.Read(miniMolecules(l, false, false).spectrum)
	row := func(v int) []float64 { return s[spectrumWidth*v : spectrumWidth*(v+1)] }
	// From atom 7, at the tail's end, a walk goes to 6, and back with probability 1/2; from there to 5,
	// of three neighbours.
	opstest.Near(t, "walks from the tail's end", row(7)[:4], []float64{0, 1. / 2, 0, 1./4 + 1./2*1./3*1./2}, 1e-3)
	opstest.Near(t, "walks of an atom alone", row(8)[:2], []float64{1, 1}, 0)
	opstest.Near(t, "walks between two atoms", row(9)[:4], []float64{0, 1, 0, 1}, 0)
	opstest.Near(t, "eigenvalues of two atoms", row(10)[16:24], []float64{0, 2, 0, 0, 0, 0, 0, 0}, 1e-3)
	for a := range 8 {
		for b := range 8 {
			dot, want := 0.0, 0.0
			if a == b {
				want = 1
			}
			for v := range 8 {
				dot += row(v)[24+a] * row(v)[24+b]
			}
			if math.Abs(dot-want) > 3e-3 { // they are rounded to float16
				t.Errorf("eigenvectors %d and %d have the product %v, want %v", a, b, dot, want)
			}
		}
	}
	trace := 0.0
	for k := range 8 {
		trace += row(0)[16+k]
	}
	if math.Abs(trace-16) > 2e-2 { // twice the number of bonds
		t.Errorf("the eigenvalues add up to %v, want 16", trace)
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	all.Add("walks and eigenvectors", "three molecules", 1, false, func(l *opstest.Lab) *ts.Tensor {
		return miniMolecules(l, false, false).spectrum
	})
	for _, signed := range []bool{false, true} {
		if testing.Short() && !signed {
			continue // takes seconds
		}
		all.Add("minimol", fmt.Sprint("signs given ", signed), 3, true, func(l *opstest.Lab) *ts.Tensor {
			in := miniMolecules(l, signed, false)
			if signed {
				in.standard = moments{mean: l.Leaf("mean", 0, 1, miniWidth), inverse: l.Leaf("inverse", 1, 0.3, miniWidth)}
			}
			return l.Must(vectorsOf(in, miniNetwork(l), miniLayers))
		})
	}
	all.Check(t)
}
