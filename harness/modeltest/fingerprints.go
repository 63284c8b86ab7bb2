package modeltest

import (
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/model"
)

// FingerprintStore returns a store of molecules without atoms, given their counts of the first bits.
func FingerprintStore(molecules ...[]uint16) *molecule.Store {
	s := molecule.NewStore(slices.Repeat([]molecule.Graph{{RowPtr: []int32{0}}}, len(molecules)))
	for _, counts := range molecules {
		s.Fingerprints().AddCounts(counts)
	}
	return s
}

// Ranked adapts a new model to the first molecules of a store: first the given number of inactive
// ones, then of active ones. It returns P(active) of the other molecules.
func Ranked(t testing.TB, spec model.Spec, c model.Config, s *molecule.Store, inactive, active int) []float64 {
	t.Helper()
	m := New(t, spec, c, model.Options{})
	var rows []int32
	for row := inactive + active; row < s.Len(); row++ {
		rows = append(rows, int32(row))
	}
	p, _ := Scores(t, m, Adapt(t, m, s, Unequal(0, inactive, active, 0)), s, rows, len(rows))
	return p
}
