package pretrain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data/category"
	"pacia/data/molecule"
)

func TestMasks(t *testing.T) {
	for atoms, want := range map[int]int{1: 1, 6: 1, 7: 2, 13: 2, 14: 3, 100: 16} {
		if got := masks(atoms, maskingShare); got != want {
			t.Errorf("%d of %d atoms are masked, want %d", got, atoms, want)
		}
	}
}

func pcg(seed uint64) func(int32) *rand.Rand {
	return func(row int32) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(row))) }
}

// TestMaskedBatch: with the labels in place of the masks, the batch equals the original.
// The masks are on the atoms and bonds that the method defines.
func TestMaskedBatch(t *testing.T) {
	var graphs []molecule.Graph
	for seed := range uint64(40) {
		graphs = append(graphs, random(rand.New(rand.NewPCG(seed, 3))))
	}
	store := molecule.NewStore(graphs)
	rows := make([]int32, len(graphs))
	for i := range rows {
		rows[i] = int32(i)
	}
	for _, bonds := range []bool{false, true} {
		task := &masking{body: body{store: store}, share: maskingShare}
		if bonds {
			task.bond = &noLayer
		}
		q := task.ask(rows, pcg(1)).(*masked)
		whole := newBatch()
		for _, g := range graphs {
			whole.add(g, all)
		}
		checkMasks(t, q, whole, bonds)
		restore(q)
		if !slices.Equal(q.batch.Atoms, whole.Atoms) {
			t.Errorf("bonds %v: the atoms are not what they were", bonds)
		}
		if types(q.batch) != types(whole) {
			t.Errorf("bonds %v: the types of the bonds are not what they were", bonds)
		}
		for i := range q.kind {
			if q.kind[i] < 0 || q.kind[i] >= category.MoleculeTypes {
				t.Errorf("bond %d has the type %d", i, q.kind[i])
			}
		}
	}
}

// checkMasks counts the masks of each molecule, and checks every bond.
func checkMasks(t *testing.T, q *masked, whole batch, bonds bool) {
	t.Helper()
	hidden := map[int32]bool{}
	for _, v := range q.atoms {
		if hidden[v] {
			t.Errorf("atom %d is masked twice", v)
		}
		hidden[v] = true
	}
	for m, first := range whole.MolPtr[:len(whole.MolPtr)-1] {
		n := 0
		for v := first; v < whole.MolPtr[m+1]; v++ {
			if hidden[v] != (q.batch.Atoms[2*v] == category.MaskedAtom) {
				t.Errorf("atom %d: masked %v, number %d", v, hidden[v], q.batch.Atoms[2*v])
			}
			if hidden[v] {
				n++
			}
		}
		if want := masks(int(whole.MolPtr[m+1]-first), maskingShare); n != want {
			t.Errorf("molecule %d: %d masks, want %d", m, n, want)
		}
	}
	for v := range whole.atoms() {
		for e := whole.RowPtr[v]; e < whole.RowPtr[v+1]; e++ {
			got, want := [2]uint8(q.batch.Bond[2*e:]), [2]uint8(whole.Bond[2*e:])
			if bonds && (hidden[v] || hidden[whole.Col[e]]) {
				want = [2]uint8{category.MaskedBond, 0}
			}
			if got != want {
				t.Errorf("bond from %d to %d: %v, want %v", whole.Col[e], v, got, want)
			}
		}
	}
}

// restore replaces the masks by the labels. Directions of bonds are not predicted, and stay hidden.
func restore(q *masked) {
	for i, v := range q.atoms {
		q.batch.Atoms[2*v] = uint8(q.element[i])
	}
	b := &q.batch
	for i := range q.kind {
		for _, way := range [][2]int32{{q.begin[i], q.end[i]}, {q.end[i], q.begin[i]}} {
			for e := b.RowPtr[way[0]]; e < b.RowPtr[way[0]+1]; e++ {
				if b.Col[e] == way[1] {
					b.Bond[2*e] = uint8(q.kind[i])
				}
			}
		}
	}
}

// types returns the types of all bonds, as a text.
func types(b batch) string {
	var list []byte
	for e := range b.Col {
		list = append(list, '0'+b.Bond[2*e])
	}
	return string(list)
}

// TestMasksAreDrawn: the hidden atoms depend on the molecule and the seed, and are
// reproducible.
func TestMasksAreDrawn(t *testing.T) {
	chain := graphOf(60, [2]int{0, 1})
	task := &masking{body: body{store: molecule.NewStore([]molecule.Graph{chain, chain})}, share: maskingShare}
	draw := func(row int32, seed uint64) []int32 { return task.ask([]int32{row}, pcg(seed)).(*masked).atoms }
	if !slices.Equal(draw(0, 1), draw(0, 1)) {
		t.Error("the same molecule and seed, other atoms")
	}
	if slices.Equal(draw(0, 1), draw(1, 1)) || slices.Equal(draw(0, 1), draw(0, 2)) {
		t.Error("another molecule or seed, the same atoms")
	}
}
