package environment_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// group cuts the molecules of a batch into n groups. Some may be empty.
func group(b *data.Batch, r *rand.Rand, n int) {
	b.GroupPtr = []int32{0}
	for range n - 1 {
		b.GroupPtr = append(b.GroupPtr, b.MolPtr[r.IntN(len(b.MolPtr))])
	}
	b.GroupPtr = append(b.GroupPtr, b.MolPtr[len(b.MolPtr)-1])
	slices.Sort(b.GroupPtr)
}

// TestRefineGroups: level 1 is that of Refine. Higher levels have a class for the atoms of one
// class of Refine in one group, represented by its first atom.
func TestRefineGroups(t *testing.T) {
	const levels = 4
	r := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		b := tangle(t, r)
		b.Refine(1)
		plain := b.Levels[1]
		for _, l := range []*[]int32{&plain.Self, &plain.RowPtr, &plain.Col} {
			*l = slices.Clone(*l)
		}
		group(b, r, 1+r.IntN(4))
		b.RefineGroups(levels)
		if !b.Grouped() || len(b.Levels) != levels+1 || !slices.Equal(b.AtomRow, b.Levels[levels].Row) {
			t.Fatalf("%d levels, grouped %v, the last with rows %v, want %d with %v", len(b.Levels), b.Grouped(), b.AtomRow, levels+1, b.Levels[levels].Row)
		}
		one := b.Levels[1]
		if !slices.Equal(one.Self, plain.Self) || !slices.Equal(one.RowPtr, plain.RowPtr) || !slices.Equal(one.Col, plain.Col) {
			t.Errorf("level 1 is %v, that of Refine %v", one, plain)
		}
		for l, classes := range classesByMap(b, levels) {
			if l == 1 && !slices.Equal(one.Row, classes) {
				t.Errorf("level 1 has rows %v, want %v", one.Row, classes)
			}
			if l > 0 {
				checkGroups(t, b, l, classes)
			}
		}
		b.Refine(2)
		checkLevels(t, b, 2)
		if b.Grouped() {
			t.Error("a batch is grouped after Refine")
		}
	}
}

// checkGroups compares a level of a batch with the classes of its atoms.
func checkGroups(t *testing.T, b *data.Batch, l int, classes []int32) {
	t.Helper()
	level := &b.Levels[l]
	var firsts []int32
	for g := range len(b.GroupPtr) - 1 {
		first := map[int32]int32{}
		for v := b.GroupPtr[g]; v < b.GroupPtr[g+1]; v++ {
			if _, ok := first[classes[v]]; !ok {
				first[classes[v]] = v
				firsts = append(firsts, v)
			}
			u := first[classes[v]]
			if level.Like[v] != u {
				t.Errorf("level %d: atom %d is like %d, want %d, the first of its class in group %d", l, v, level.Like[v], u, g)
			}
			if l == 1 {
				continue
			}
			if row := level.Row[v]; int(row) >= level.Len() || level.Self[row] != u {
				t.Errorf("level %d: atom %d has row %d of %v, want that of atom %d", l, v, row, level.Self, u)
			}
		}
	}
	if l == 1 {
		return
	}
	if !slices.Equal(level.Self, firsts) {
		t.Errorf("level %d: classes of atoms %v, want %v", l, level.Self, firsts)
	}
	for row, v := range level.Self {
		got := bondsOf(level.RowPtr, level.Col, level.Bond, int32(row), nil)
		if want := bondsOf(b.RowPtr, b.Col, b.Bond, v, nil); !slices.Equal(got, want) {
			t.Errorf("level %d: class %d has bonds %v, its first atom %v", l, row, got, want)
		}
	}
}

// TestRefineFeatures: levels are those of RefineGroups with each category as a feature, but
// levels 0 and 1 are also divided by groups.
func TestRefineFeatures(t *testing.T) {
	const levels = 3
	r := rand.New(rand.NewPCG(9, 10))
	for range 30 {
		b := tangle(t, r)
		group(b, r, 1+r.IntN(4))
		want := classesByMap(b, levels)
		var features []float32
		for _, c := range b.Atoms {
			features = append(features, float32(c)/3, 0, -float32(c%2))
		}
		b.SetFloats(molecule.Features, len(b.Atoms)/2, features)
		b.RefineFeatures(levels)
		if !b.Grouped() || len(b.Levels) != levels+1 || !slices.Equal(b.AtomRow, b.Levels[levels].Row) {
			t.Fatalf("%d levels, grouped %v, the last with rows %v, want %d with %v", len(b.Levels), b.Grouped(), b.AtomRow, levels+1, b.Levels[levels].Row)
		}
		for l, classes := range want {
			checkShared(t, b, l, classes)
		}

		b.SetFloats(molecule.Features, len(b.Atoms)/2, nil)
		b.Refine(levels)
		if got, first := b.Levels[0].Len(), slices.Max(want[0])+1; got != int(first) {
			t.Fatalf("refined by categories after that, level 0 has %d classes, want %d", got, first)
		}
	}
}

// checkShared compares the rows of a level of a batch with the classes of its atoms.
func checkShared(t *testing.T, b *data.Batch, l int, classes []int32) {
	t.Helper()
	level := &b.Levels[l]
	type key struct{ group, class int32 }
	rows := map[key]int32{}
	for g := range len(b.GroupPtr) - 1 {
		for v := b.GroupPtr[g]; v < b.GroupPtr[g+1]; v++ {
			k := key{int32(g), classes[v]}
			row, known := rows[k]
			if !known {
				row = int32(len(rows))
				rows[k] = row
				if level.Len() <= int(row) || level.Self[row] != v {
					t.Errorf("level %d: row %d of %v is not that of atom %d", l, row, level.Self, v)
				}
			}
			if level.Row[v] != row {
				t.Errorf("level %d: atom %d has row %d, want %d", l, v, level.Row[v], row)
			}
		}
	}
	if level.Len() != len(rows) {
		t.Errorf("level %d has %d rows, want %d", l, level.Len(), len(rows))
	}
}
