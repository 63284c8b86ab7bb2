package environment_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// classesByMap refines with a map of texts. It returns the class of every atom at
// each level 0 to n, numbered in the order of the atoms.
func classesByMap(b *data.Batch, n int) [][]int32 {
	number := func(describe func(v int) string) []int32 {
		seen, classes := map[string]int32{}, make([]int32, len(b.Atoms)/2)
		for v := range classes {
			text := describe(v)
			if _, ok := seen[text]; !ok {
				seen[text] = int32(len(seen))
			}
			classes[v] = seen[text]
		}
		return classes
	}
	levels := [][]int32{number(func(v int) string { return fmt.Sprintf("%d", b.Atoms[2*v:2*v+2]) })}
	for l := 1; l <= n; l++ {
		last := levels[l-1]
		levels = append(levels, number(func(v int) string {
			var around []string
			for k := b.RowPtr[v]; k < b.RowPtr[v+1]; k++ {
				around = append(around, fmt.Sprintf("%d %d", b.Bond[2*k:2*k+2], last[b.Col[k]]))
			}
			slices.Sort(around)
			return fmt.Sprint(last[v], around)
		}))
	}
	return levels
}

// checkLevels compares the levels of a batch with those by the map: the class
// of every atom, and the categories and bonds of each class.
func checkLevels(t *testing.T, b *data.Batch, n int) {
	t.Helper()
	want := classesByMap(b, n)
	if len(b.Levels) != n+1 || !slices.Equal(b.AtomRow, want[n]) {
		t.Fatalf("%d levels with classes %v, want %d with %v", len(b.Levels), b.AtomRow, n+1, want[n])
	}
	for l := range b.Levels {
		level := &b.Levels[l]
		if classes := int(slices.Max(want[l])) + 1; level.Len() != classes {
			t.Fatalf("level %d has %d classes, want %d", l, level.Len(), classes)
		}
		for v, r := range want[l] {
			if l == 0 {
				if got, atom := level.Atoms[2*r:2*r+2], b.Atoms[2*v:2*v+2]; !slices.Equal(got, atom) {
					t.Errorf("atom %d has categories %v, its class %v", v, atom, got)
				}
				continue
			}
			got := bondsOf(level.RowPtr, level.Col, level.Bond, r, nil)
			around := bondsOf(b.RowPtr, b.Col, b.Bond, int32(v), want[l-1])
			slices.SortFunc(around, compareBonds)
			if level.Self[r] != want[l-1][v] || !slices.Equal(got, around) {
				t.Errorf("level %d: class %d is %d with bonds %v; atom %d is %d with bonds %v",
					l, r, level.Self[r], got, v, want[l-1][v], around)
			}
		}
	}
}

// bondsOf returns type, direction and other end of the bonds of one row; class,
// if given, is that of the other ends.
func bondsOf(ptr, col []int32, bond []uint8, row int32, class []int32) (bonds [][3]int32) {
	for k := ptr[row]; k < ptr[row+1]; k++ {
		end := col[k]
		if class != nil {
			end = class[end]
		}
		bonds = append(bonds, [3]int32{int32(bond[2*k]), int32(bond[2*k+1]), end})
	}
	return bonds
}

func compareBonds(a, b [3]int32) int { return slices.Compare(a[:], b[:]) }

// tangled draws a molecule without regard for chemistry, with few
// categories, so that many atoms have equal environments for a level or two.
func tangled(r *rand.Rand) molecule.Graph {
	atoms := 1 + r.IntN(12)
	type end struct {
		atom      uint16
		kind, dir uint8
	}
	ends := make([][]end, atoms)
	join := func(a, b int) {
		kind, dir := uint8(r.IntN(2)), uint8(r.IntN(2))
		ends[a] = append(ends[a], end{uint16(b), kind, dir})
		ends[b] = append(ends[b], end{uint16(a), kind, dir})
	}
	for a := 1; a < atoms; a++ {
		join(a, r.IntN(a))
		if r.IntN(4) == 0 && a > 1 {
			join(a, r.IntN(a-1))
		}
	}
	g := molecule.Graph{RowPtr: []int32{0}}
	for _, es := range ends {
		g.Atoms = append(g.Atoms, uint8(r.IntN(2)), uint8(r.IntN(8)/7))
		for _, e := range es {
			g.Col, g.Bond = append(g.Col, e.atom), append(g.Bond, e.kind, e.dir)
		}
		g.RowPtr = append(g.RowPtr, int32(len(g.Col)))
	}
	return g
}

// relabelled returns g with atom v renumbered as name[v], and its bonds in another
// order.
func relabelled(g molecule.Graph, name []int, r *rand.Rand) molecule.Graph {
	out := molecule.Graph{Atoms: make([]uint8, len(g.Atoms)), RowPtr: []int32{0}}
	old := make([]int, g.Len())
	for v, n := range name {
		old[n] = v
	}
	for n, v := range old {
		copy(out.Atoms[2*n:], g.Atoms[2*v:2*v+2])
		for _, i := range r.Perm(int(g.RowPtr[v+1] - g.RowPtr[v])) {
			k := g.RowPtr[v] + int32(i)
			out.Col, out.Bond = append(out.Col, uint16(name[g.Col[k]])), append(out.Bond, g.Bond[2*k], g.Bond[2*k+1])
		}
		out.RowPtr = append(out.RowPtr, int32(len(out.Col)))
	}
	return out
}

func molecules(t testing.TB, smiles ...string) *molecule.Store {
	t.Helper()
	s, _, errs := molecule.ParseSMILES(t.Context(), smiles, 1)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return s
}

func stored(graphs ...molecule.Graph) *molecule.Store { return molecule.NewStore(graphs) }

func queriesOf(t testing.TB, s *molecule.Store) *data.Batch {
	t.Helper()
	rows := make([]int32, s.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	b, err := data.AssembleQueries(s, rows)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tangle returns a batch of up to 20 molecules of tangled.
func tangle(t *testing.T, r *rand.Rand) *data.Batch {
	t.Helper()
	var graphs []molecule.Graph
	for range 1 + r.IntN(20) {
		graphs = append(graphs, tangled(r))
	}
	return queriesOf(t, molecule.NewStore(graphs))
}

func TestRefine(t *testing.T) {
	b := queriesOf(t, molecules(t, "CCO", "C", "F/C=C/F", "[C@](F)(Cl)(Br)I", "c1ccccc1N", "CC(=O)O", "[Na+].[Cl-]",
		"O=C(Nc1ccc(Cl)cc1)c1ccccc1", "*C#N", "C1CC1"))
	for _, n := range []int{1, 2, 5, 3} {
		b.Refine(n)
		checkLevels(t, b, n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		b := tangle(t, r)
		b.Refine(5)
		checkLevels(t, b, 5)
	}
}

// TestRefineKnown counts classes of molecules whose symmetry is known.
func TestRefineKnown(t *testing.T) {
	for _, c := range []struct {
		smiles []string
		want   []int // classes of each level
	}{
		{[]string{"c1ccccc1"}, []int{1, 1, 1, 1}},
		// Atoms of carbon rings are in one class for any size of ring and any level.
		{[]string{"C1CCCCC1", "C1CCC1"}, []int{1, 1, 1, 1}},
		{[]string{"CC"}, []int{1, 1, 1, 1}},
		// The middle of pentane reaches all of it within two bonds.
		{[]string{"CCCCC"}, []int{1, 2, 3, 3}},
		// Toluene: methyl, ipso, ortho, meta, para.
		{[]string{"Cc1ccccc1"}, []int{1, 3, 4, 5}},
		{[]string{"CCO", "OCC", "CCO"}, []int{2, 3, 3, 3}},
		{[]string{"C", "CC", "C=C"}, []int{1, 3, 3, 3}},
	} {
		b := queriesOf(t, molecules(t, c.smiles...))
		b.Refine(len(c.want) - 1)
		var got []int
		for l := range b.Levels {
			got = append(got, b.Levels[l].Len())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v classes, want %v", c.smiles, got, c.want)
		}
	}
}

// TestRefineIgnoresNames: renumbered atoms are in the same classes, and a batch has
// the classes of its molecules and no others.
func TestRefineIgnoresNames(t *testing.T) {
	const levels = 4
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		g := tangled(r)
		name := r.Perm(g.Len())
		alone, both := queriesOf(t, stored(g)), queriesOf(t, stored(g, relabelled(g, name, r)))
		alone.Refine(levels)
		both.Refine(levels)
		for l := range alone.Levels {
			if a, b := alone.Levels[l].Len(), both.Levels[l].Len(); a != b {
				t.Errorf("level %d: %d classes, with the same molecule under other names %d", l, a, b)
			}
			if l > 0 && alone.Levels[l].Len() < alone.Levels[l-1].Len() {
				t.Errorf("level %d has fewer classes than level %d", l, l-1)
			}
		}
		for v, n := range name {
			if a, b := both.AtomRow[v], both.AtomRow[g.Len()+n]; a != b {
				t.Errorf("atom %d is of class %d, under its other name of %d", v, a, b)
			}
		}
	}
}

// BenchmarkRefine reports the time for each atom and level, in batches of 256
// random molecules.
func BenchmarkRefine(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	var graphs []molecule.Graph
	for range 256 {
		graphs = append(graphs, tangled(r))
	}
	batch := queriesOf(b, molecule.NewStore(graphs))
	for _, n := range []int{1, 5} {
		b.Run(fmt.Sprintf("levels=%d", n), func(b *testing.B) {
			for b.Loop() {
				batch.Refine(n)
			}
			work := float64(b.N) * float64(n+1) * float64(len(batch.AtomRow))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/work, "ns/atom/level")
		})
	}
}
