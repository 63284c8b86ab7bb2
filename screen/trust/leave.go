package trust

import (
	"context"
	"fmt"
	"maps"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
)

// Legend: N support molecules of a task.

// parts is the number of folds if leave-one-out would take too long.
const parts = 5

// oneByOne returns the size of the largest support set for leave-one-out. Each fold leaves out one molecule of
// each class, so the model adapts once for each molecule of the larger class. The limit depends
// on the kind of model, never on timing, so that the same files give the same panel.
func oneByOne(m *model.Model) int {
	switch {
	case m.Traits().Tunes: // takes gradient steps
		return 0
	case evaluate.Fingerprinted(m.Config()):
		return 100
	}
	return 24
}

// supportLabels holds the labels and values of N support molecules.
type supportLabels struct {
	labels []uint8
	values []data.Measured // nil if only labels are learnt
}

// opposite returns t with the classes swapped and values reversed.
func (t supportLabels) opposite() supportLabels {
	o := supportLabels{labels: make([]uint8, len(t.labels))}
	for i, label := range t.labels {
		o.labels[i] = 1 - label
	}
	for _, v := range t.values {
		o.values = append(o.values, v.Opposite())
	}
	return o
}

// held scores each of N molecules, rows of a store, with a model that was adapted to the given labels of other
// molecules. Each fold is left out together with the molecules that have the same fingerprints; first is the
// result of firsts. A molecule in several folds gets the mean of its scores.
func held(ctx context.Context, adapt evaluate.Adapter, s molecule.List, rows []int32, given supportLabels, by [][]int, first []int) ([]float64, error) {
	scores := make([]float64, len(rows))
	for _, fold := range by {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := withoutFold(adapt, s, rows, given, fold, omitted(fold, first))
		if err != nil {
			return nil, err
		}
		for k, at := range fold {
			scores[at] += float64(p[k])
		}
	}
	for i, n := range times(by, len(rows)) {
		scores[i] /= n
	}
	return scores, nil
}

// times returns the number of folds of each of n molecules.
func times(by [][]int, n int) []float64 {
	t := make([]float64, n)
	for _, fold := range by {
		for _, at := range fold {
			t[at]++
		}
	}
	return t
}

// folds returns the indices of molecules to be left out together. Each fold has molecules of both
// classes, so that the share of actives stays about the same. Otherwise a model that reads only this share
// would rank each molecule by its absence. With most 0, a fold has one molecule of each
// class, and molecules of the smaller class are in several folds. Otherwise there are no more
// than most folds, and each molecule is in one. It returns nil if a class has a single molecule.
func folds(labels []uint8, most int) [][]int {
	var of [2][]int
	for i, label := range labels {
		of[label] = append(of[label], i)
	}
	small, large := min(len(of[0]), len(of[1])), max(len(of[0]), len(of[1]))
	if small < 2 {
		return nil
	}
	if most == 0 {
		f := make([][]int, large)
		for i := range f {
			f[i] = []int{of[0][i%len(of[0])], of[1][i%len(of[1])]}
		}
		return f
	}
	f := make([][]int, min(most, small))
	for _, class := range of {
		for i, at := range class {
			f[i%len(f)] = append(f[i%len(f)], at)
		}
	}
	return f
}

// remains returns an error if a class would be empty without a fold and the molecules that have its fingerprints, as
// repeats do.
func remains(labels []uint8, by [][]int, first []int) error {
	for _, fold := range by {
		var kept [2]int
		for i, out := range omitted(fold, first) {
			if !out {
				kept[labels[i]]++
			}
		}
		if min(kept[0], kept[1]) > 0 {
			continue
		}
		of := [2]map[int]bool{{}, {}} // the molecules of each class
		for i, f := range first {
			of[labels[i]][f] = true
		}
		if maps.Equal(of[0], of[1]) {
			return errBoth
		}
		return errEmpty
	}
	return nil
}

// withoutFold adapts a model to the molecules that are not out, and scores those of a fold.
func withoutFold(adapt evaluate.Adapter, s molecule.List, rows []int32, given supportLabels, fold []int, out []bool) ([]float32, error) {
	queried := each.At(rows, fold)
	var kept []int32
	var known supportLabels
	for i, row := range rows {
		if !out[i] {
			kept, known.labels = append(kept, row), append(known.labels, given.labels[i])
			if given.values != nil {
				known.values = append(known.values, given.values[i])
			}
		}
	}
	rest, err := data.NewMeasured(kept, known.labels, known.values)
	if err != nil {
		return nil, err
	}
	queries, err := data.AssembleQueries(s, queried)
	if err != nil {
		return nil, err
	}
	var p []float32
	err = evaluate.Adapting(adapt, s, rest, func(a evaluate.Adapted) error {
		scored, err := a.ScoreAll(queries)
		if p = scored.Probabilities(); err == nil && len(p) != len(queried) {
			err = fmt.Errorf("%d scores for %d molecules", len(p), len(queried))
		}
		return err
	})
	return p, err
}
