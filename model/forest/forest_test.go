package forest

import (
	"slices"
	"testing"

	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/counts"
)

// sparse returns the counts as sparse vectors.
func sparse(rows [][]uint16) (v []counts.Vector) {
	for _, row := range rows {
		var one counts.Vector
		for bit, c := range row {
			if c > 0 {
				one.Bit, one.Count = append(one.Bit, uint16(bit)), append(one.Count, c)
			}
		}
		v = append(v, one)
	}
	return v
}

// share returns the mean value over the trees.
func share(forest []tree, row []uint16) (mean float64) {
	for _, t := range forest {
		mean += t.value(row) / float64(len(forest))
	}
	return mean
}

// TestScikitLearn: over very many trees the shares are those of scikit-learn's forest
// (the mean of 100,000 trees) for the same support set. Two of its molecules differ only
// in their label, and one has no counts. The share of one tree has a standard deviation
// of at most ½, so that the mean of 40,000 trees has a standard error of at most 0.0025,
// and scikit-learn's of 0.0016. The tolerance is four times their combination.
func TestScikitLearn(t *testing.T) {
	var f struct {
		Support, Queries [][]uint16
		Labels           []float64
		Probability      []float64
	}
	golden.Decode(t, "testdata/sklearn.json.gz", &f)
	forest := grow(sparse(f.Support), f.Labels, len(f.Support[0]), 40_000, 1, nil)
	for q, row := range f.Queries {
		if got := share(forest, row); !(got > f.Probability[q]-0.012 && got < f.Probability[q]+0.012) {
			t.Errorf("query %d: the share of actives is %.4f, scikit-learn's %.4f", q, got, f.Probability[q])
		}
	}
}

// TestSeeds: equal seeds give equal forests in any order of the support molecules.
// Different seeds give different ones. A larger forest begins with a smaller one.
func TestSeeds(t *testing.T) {
	rows, labels := [][]uint16{{1, 0, 2}, {0, 1, 1}, {3, 0, 0}, {1, 1, 1}, {0, 0, 2}}, []float64{0, 1, 0, 1, 1}
	forest := grow(sparse(rows), labels, 3, 20, 7, nil)
	swapped := slices.Clone(rows)
	swapped[1], swapped[4] = rows[4], rows[1]
	same := func(a, b []tree) bool {
		return slices.EqualFunc(a, b, slices.Equal[tree])
	}
	if !same(forest, grow(sparse(swapped), labels, 3, 20, 7, nil)) {
		t.Error("another order of the support molecules gives another forest")
	}
	if same(forest, grow(sparse(rows), labels, 3, 20, 8, nil)) {
		t.Error("another seed gives the same forest")
	}
	if !same(forest[:10], grow(sparse(rows), labels, 3, 10, 7, nil)) {
		t.Error("10 trees are not the first of 20")
	}
}

// TestCorners: molecules with equal counts have the share of actives among the drawn
// molecules. With one molecule per class, a tree distinguishes them if both were drawn.
func TestCorners(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own = Settings{Trees: 2000}
	for _, tt := range []struct {
		name             string
		inactive, active int
		molecules        [][]uint16
		want             []float64
	}{
		// Two draws of two: both are inactive in a quarter of the trees, both active in
		// a quarter, and half of the trees have a split.
		{"one a class", 1, 1, [][]uint16{{1}, {0, 1}, {1}, {0, 1}}, []float64{0.25, 0.75}},
		{"equal molecules", 1, 3, [][]uint16{{1}, {1}, {1}, {1}, {1}, {9, 9}}, []float64{0.75, 0.75}},
		{"no counts", 2, 2, [][]uint16{{}, {}, {}, {}, {}, {5}}, []float64{0.5, 0.5}},
	} {
		got := modeltest.Ranked(t, Spec, c, modeltest.FingerprintStore(tt.molecules...), tt.inactive, tt.active)
		// 2,000 trees: four standard errors of at most 0.011.
		modeltest.Near(t, tt.name, got, tt.want, 0.045/1.75)
	}
}

// TestLogits: shares of 0 and 1 are probabilities like others.
func TestLogits(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own = Settings{Trees: 3}
	// Almost certainly every tree has both classes, which the only bit distinguishes.
	rows := slices.Concat(slices.Repeat([][]uint16{{0}}, 40), slices.Repeat([][]uint16{{4}}, 40), [][]uint16{{0}, {1}, {2}, {3}, {4}, {65535}})
	got := modeltest.Ranked(t, Spec, c, modeltest.FingerprintStore(rows...), 40, 40)
	modeltest.Near(t, "P(active)", got, []float64{0, 0, 0, 1, 1, 1}, 0)
}
