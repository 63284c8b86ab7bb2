package trust

import (
	"context"
	"errors"
	"testing"

	"pacia/evaluate"
)

// TestRemains: a fold with its repeats must leave molecules of both classes. first has the same number for repeats.
func TestRemains(t *testing.T) {
	for _, tt := range []struct {
		name   string
		labels []uint8
		first  []int
		want   error
	}{
		{"no repeats", []uint8{0, 0, 1, 1}, []int{0, 1, 2, 3}, nil},
		{"two molecules with both labels", []uint8{0, 1, 0, 1}, []int{0, 0, 2, 2}, nil},
		{"one molecule with both labels", []uint8{0, 1, 0, 1, 0, 1}, []int{0, 0, 0, 0, 0, 0}, errBoth},
		{"one inactive molecule, twice", []uint8{0, 0, 1, 1}, []int{0, 0, 2, 3}, errEmpty},
		{"one molecule of both classes", []uint8{0, 0, 1, 1}, []int{0, 1, 1, 3}, errEmpty},
	} {
		if err := remains(tt.labels, folds(tt.labels, 0), tt.first); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// parsed reads molecules with labels as a support set.
func parsed(read *evaluate.Reader, smiles []string, labels []uint8) Support {
	molecules, rows, _ := read.Parse(context.Background(), smiles, 0)
	return Support{Molecules: molecules, Rows: rows, Drawn: smiles, Labels: labels}
}
