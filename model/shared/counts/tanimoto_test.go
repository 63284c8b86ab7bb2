package counts

import (
	"math/rand/v2"
	"testing"
)

// dense is a vector with the counts of all bits.
type dense []uint16

func (d dense) vector() (v Vector) {
	for b, c := range d {
		if c > 0 {
			v.Bit, v.Count = append(v.Bit, uint16(b)), append(v.Count, c)
		}
	}
	return v
}

// tanimoto computes the coefficient by its definition.
func tanimoto(a, b dense) float64 {
	var least, most int
	for i := range a {
		least, most = least+int(min(a[i], b[i])), most+int(max(a[i], b[i]))
	}
	if most == 0 {
		return 1
	}
	return float64(least) / float64(most)
}

func index(molecules []dense) *Index {
	var v []Vector
	for _, m := range molecules {
		v = append(v, m.vector())
	}
	return NewIndex(v)
}

// TestTanimoto: the index gives exactly Σ min / Σ max, since both are one division of
// the same integers. This includes bits that no molecule of the index has, and
// molecules without bits.
func TestTanimoto(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(bits int) dense {
		d := make(dense, 60)
		for b := range bits {
			if r.IntN(3) == 0 {
				d[b] = uint16(1 + r.IntN(4))
			}
		}
		return d
	}
	molecules := []dense{make(dense, 60)}
	for range 20 {
		molecules = append(molecules, draw(50))
	}
	x, got := index(molecules), make([]float64, len(molecules))
	queries := []dense{make(dense, 60), molecules[3]}
	for range 50 {
		queries = append(queries, draw(60))
	}
	for q, query := range queries {
		for range 2 { // also with existing values in the result
			x.Tanimoto(query.vector(), got)
		}
		for i, m := range molecules {
			if want := tanimoto(query, m); got[i] != want {
				t.Errorf("query %d, molecule %d: %v, want %v", q, i, got[i], want)
			}
		}
	}
}

// TestTanimotoByHand: counts 2 and 1 of the bits 0 and 5.
func TestTanimotoByHand(t *testing.T) {
	x := index([]dense{{2, 0, 0, 0, 0, 1}, {}, {0, 7}, {1, 1}})
	got := make([]float64, x.Len())
	for _, tt := range []struct {
		query Vector
		want  [4]float64
	}{
		{dense{2, 0, 0, 0, 0, 1}.vector(), [4]float64{1, 0, 0, 1. / 4}},
		{dense{4}.vector(), [4]float64{2. / 5, 0, 0, 1. / 5}},
		{Vector{}, [4]float64{0, 1, 0, 0}},
		{Vector{Bit: []uint16{2047}, Count: []uint16{65535}}, [4]float64{}},
	} {
		if x.Tanimoto(tt.query, got); [4]float64(got) != tt.want {
			t.Errorf("%v: %v, want %v", tt.query, got, tt.want)
		}
	}
}

func BenchmarkTanimoto(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var molecules []dense
	for range 21 {
		d := make(dense, 2048)
		for range 60 {
			d[r.IntN(400)]++
		}
		molecules = append(molecules, d)
	}
	x, query, into := index(molecules[:20]), molecules[20].vector(), make([]float64, 20)
	for b.Loop() {
		x.Tanimoto(query, into)
	}
}
