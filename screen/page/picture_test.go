package page

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestHistogram: the histogram ends at a round number at or above the largest probability, and every
// probability is in its bin.
func TestHistogram(t *testing.T) {
	for largest, want := range map[float64]float64{1: 1, 0.88: 1, 0.5: 0.5, 0.41: 0.5, 0.2: 0.2, 0.03: 0.05, 0.0101: 0.02, 0: 2e-7} {
		if got := NewHistogram(largest).High; math.Abs(got-want) > 1e-12 {
			t.Errorf("largest %v: the end is %v, want %v", largest, got, want)
		}
	}
	h := NewHistogram(0.5)
	for _, p := range []float64{0, 0.0124, 0.0126, 0.25, 0.4999, 0.5} {
		h.Add(p)
	}
	want := [Bins]int{0: 2, 1: 1, 20: 1, 39: 2}
	if h.Counts != want {
		t.Errorf("counts %v, want %v", h.Counts, want)
	}
	b := h.bars(&Page{Ranked: 6, Rows: []Row{{Probability: 0.25}}})
	if tall := b.Bars[0].High; math.Abs(b.Bars[1].High-tall/math.Sqrt2) > 1e-9 || b.Last == nil || b.Last.Count != 1 || math.Abs(b.Last.At-b.Bars[20].X) > 1 {
		t.Errorf("bars %v and %v, the last row at %v", tall, b.Bars[1].High, b.Last)
	}
	for most, want := range map[int][]int{10: {2, 5, 10}, 1: {1}, 137000: {8000, 30000, 60000, 100000}} {
		if got := countTicks(most); !slices.Equal(got, want) {
			t.Errorf("up to %d: ticks %v, want %v", most, got, want)
		}
	}
}

// TestPlane: distances that fit into a plane are preserved up to a scale, with the actives to the right.
// Similar molecules are nearer to each other than dissimilar ones.
func TestPlane(t *testing.T) {
	p := plane{Points: []point{{Kind: kindInactive}, {Kind: kindActive}, {Kind: kindRow, Rank: 1}}}
	p.place(mat.NewDense(3, 2, []float64{3, 0, -3, 0, 0, 4}))
	far := func(a, b point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	if p.Points[1].X <= p.Points[0].X {
		t.Error("the active is left of the inactive")
	}
	if unit := far(p.Points[0], p.Points[1]) / 6; math.Abs(far(p.Points[0], p.Points[2])/unit-5) > 1e-9 {
		t.Error("the axes have different scales")
	}
	page := &Page{
		Support: []Molecule{{SMILES: "c1ccccc1C(=O)NCC", Active: true}, {SMILES: "CCCCCCCCO"}, {SMILES: "not read"}},
		Rows:    []Row{{Molecule: Molecule{SMILES: "c1ccccc1C(=O)NCCC"}, Rank: 1}, {Molecule: Molecule{SMILES: "CCCCCCCO"}, Rank: 2, Pick: 1}},
	}
	page.Picks = page.Rows[1:]
	got, err := planeOf(t.Context(), page)
	if err != nil || len(got.Points) != 4 {
		t.Fatalf("%v (%v)", got, err)
	}
	amide, alcohol, active, inactive := got.Points[0], got.Points[1], got.Points[2], got.Points[3]
	if far(amide, active) > far(amide, inactive) || far(alcohol, inactive) > far(alcohol, active) || alcohol.Kind != kindPick || amide.Kind != kindRow {
		t.Errorf("dissimilar molecules are near each other: %+v", got.Points)
	}
	if got.Held <= 50 || got.Held > 100+1e-9 {
		t.Errorf("two dimensions preserve %v %% of four molecules in two pairs", got.Held)
	}
	page.Support, page.Rows, page.Picks = page.Support[:2], nil, nil
	if got, err := planeOf(t.Context(), page); got != nil || err != nil {
		t.Errorf("a plane of two molecules: %v (%v)", got, err)
	}
}

// TestDistancesFitIntoSpace: the distances are those of points in a Euclidean space.
func TestDistancesFitIntoSpace(t *testing.T) {
	v, _, err := vectors(t.Context(), []string{"CCO", "CCN", "CCCCO", "c1ccccc1O", "c1ccccc1N", "CC(=O)O", "O"}, make([]point, 7))
	if err != nil {
		t.Fatal(err)
	}
	d, n := distances(v), len(v)
	centred := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			// ⟨x_i, x_j⟩ with x_0 at the origin
			centred.SetSym(i, j, (d.At(0, i)*d.At(0, i)+d.At(0, j)*d.At(0, j)-d.At(i, j)*d.At(i, j))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(centred, false) || slices.Min(e.Values(nil)) < -1e-12 {
		t.Errorf("eigenvalues %v", e.Values(nil))
	}
}

// TestStructure: black becomes the page's text colour, and input that is not a drawing of RDKit gives
// no drawing.
func TestStructure(t *testing.T) {
	all, err := strokesOf([]byte(`<svg viewBox='0 0 9 9'><path d='M 1.0,2.0 L 3.0,4.0' style='fill:none;stroke:#000000'/><path d="M 1,1 L 2,2" style='fill:none;stroke:#000000'/><path d='M 0 0
Z' fill='#FF0000'/></svg>`))
	if err != nil || len(all) != 2 || all[0] != (stroke{colour: "currentColor", path: "M1.0,2.0L3.0,4.0M1,1L2,2"}) || all[1] != (stroke{filled: true, colour: "#FF0000", path: "M0 0Z"}) {
		t.Errorf("%+v (%v)", all, err)
	}
	for _, bad := range []string{`<svg viewBox='0 0 9 9'><path d='M 0 0' fill='url(x)'/></svg>`, `<svg viewBox='0 0 9 9'><path d='M 0 0"' fill='#FF0000'/></svg>`, `<svg>`} {
		if all, err := strokesOf([]byte(bad)); err == nil {
			t.Errorf("%s is read as %+v", bad, all)
		}
	}
}
