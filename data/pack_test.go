package data

import (
	"slices"
	"strings"
	"testing"
)

// chains are molecules of which row i is a chain of i+1 atoms with k features,
// each of the given value.
type chains struct {
	n, k  int
	value float32
}

func (c chains) Len() int        { return c.n }
func (c chains) Atoms(i int) int { return i + 1 }
func (c chains) Bonds(i int) int { return i }

func (c chains) AddTo(b *Batch, i int) {
	first := b.MolPtr[len(b.MolPtr)-1]
	for v := range i + 1 {
		for range c.k {
			b.Features = append(b.Features, c.value)
		}
		for _, u := range []int{v - 1, v + 1} {
			if u >= 0 && u <= i {
				b.Col, b.Bond = append(b.Col, first+int32(u)), append(b.Bond, 1, 0)
			}
		}
		b.RowPtr = append(b.RowPtr, int32(len(b.Col)))
	}
	b.MolPtr = append(b.MolPtr, first+int32(i+1))
}

func TestPackKeepsFeatures(t *testing.T) {
	for _, k := range []int{1, 7, 32} {
		m := chains{5, k, 1}
		s, err := Pack(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.n {
			var got, want Batch
			got.reset()
			want.reset()
			for range 2 { // the second one is numbered behind the first
				s.AddTo(&got, i)
				m.AddTo(&want, i)
			}
			if !sameGraphs(&got, &want) || s.Atoms(i) != i+1 || s.Bonds(i) != i {
				t.Errorf("%d features, molecule %d: %+v, want %+v", k, i, got, want)
			}
		}
	}
}

func sameGraphs(a, b *Batch) bool {
	return slices.Equal(a.Features, b.Features) && slices.Equal(a.RowPtr, b.RowPtr) && slices.Equal(a.Col, b.Col) &&
		slices.Equal(a.Bond, b.Bond) && slices.Equal(a.MolPtr, b.MolPtr)
}

func TestPackRefuses(t *testing.T) {
	for want, m := range map[string]Molecules{
		"feature 0 is 0.5, not 0 or 1": chains{1, 4, 0.5},
		"33 features an atom":          chains{1, 33, 1},
	} {
		if _, err := Pack(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
