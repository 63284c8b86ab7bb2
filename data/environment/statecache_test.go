package environment_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/environment"
	"pacia/data/molecule"
)

const leastRows = 16

// digest replaces a network: it returns the state of a class, which depends on the states that
// are given and on their order.
func digest(parts ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, parts...) //nolint:errcheck // a hash takes everything
	return h.Sum64()
}

// digests returns the state of each class of a level, given the states of the level
// below.
func digests(l *environment.Level, below []uint64) (states []uint64) {
	for c := range l.Len() {
		if below == nil {
			states = append(states, digest(l.Atoms[2*c:2*c+2]))
			continue
		}
		parts := []any{below[l.Self[c]]}
		for k := l.RowPtr[c]; k < l.RowPtr[c+1]; k++ {
			parts = append(parts, l.Bond[2*k:2*k+2], below[l.Col[k]])
		}
		states = append(states, digest(parts...))
	}
	return states
}

// directly returns the state of each atom, computed from the levels.
func directly(b *data.Batch) (atoms []uint64) {
	var states []uint64
	for l := range b.Levels {
		states = digests(&b.Levels[l], states)
	}
	for _, c := range b.AtomRow {
		atoms = append(atoms, states[c])
	}
	return atoms
}

// byTable is like directly, but follows a plan and writes its states to the table.
func byTable(p *environment.CachePlan, table []uint64) (atoms []uint64) {
	for l := range p.Levels {
		below := table
		if l == 0 {
			below = nil
		}
		for i, state := range digests(&p.Levels[l], below) {
			table[p.Rows[l][i]] = state
		}
	}
	for _, row := range p.Atoms {
		atoms = append(atoms, table[row])
	}
	return atoms
}

// drawn returns a batch of random queries with levels and names.
func drawn(t *testing.T, r *rand.Rand, molecules, levels int) *data.Batch {
	t.Helper()
	var list []molecule.Graph
	for range molecules {
		list = append(list, tangled(r))
	}
	b := queriesOf(t, molecule.NewStore(list))
	b.Refine(levels)
	b.Identify()
	return b
}

// TestRecall: states from a table equal those computed directly, in tables that hold all
// states and in tables that evict some. A larger table has to compute fewer states.
func TestRecall(t *testing.T) {
	const levels, batches = 3, 200
	made := map[int]int{}
	for _, rows := range []int{400, 1000, 100000} {
		r, cache, table := rand.New(rand.NewPCG(1, 2)), environment.NewStateCache(rows, leastRows), make([]uint64, rows)
		for i := range batches {
			b := drawn(t, r, 1+r.IntN(3), levels)
			p := cache.Plan(&b.Classes)
			if p == nil {
				t.Fatalf("table of %d rows: no plan for batch %d", rows, i)
			}
			if got, want := byTable(p, table), directly(b); !slices.Equal(got, want) {
				t.Fatalf("table of %d rows: states %v of batch %d, directly %v", rows, got, i, want)
			}
			cache.Done(p, true)
			for l := range p.Levels {
				made[rows] += p.Levels[l].Len()
				if n := p.Levels[l].Len(); n == 0 || l > 0 && n < leastRows {
					t.Errorf("table of %d rows: level %d of batch %d has %d rows", rows, l, i, n)
				}
			}
		}
	}
	if made[1000] >= made[400] || made[100000] >= made[1000] {
		t.Errorf("rows made by the size of the table: %v; a larger table should have fewer", made)
	}
}

// TestRecallAgain: for a batch that was seen before, one row of the last level is computed, and repeated
// to fill a tile. After Forget, all are computed.
func TestRecallAgain(t *testing.T) {
	b, cache, table := drawn(t, rand.New(rand.NewPCG(3, 4)), 40, 2), environment.NewStateCache(10000, leastRows), make([]uint64, 10000)
	first := cache.Plan(&b.Classes)
	want := byTable(first, table)
	cache.Done(first, true)
	again := cache.Plan(&b.Classes)
	if got := byTable(again, table); !slices.Equal(got, want) {
		t.Errorf("states %v of the same batch, at first %v", got, want)
	}
	for l := range again.Levels {
		// The class may need several classes of the levels below.
		if n := again.Levels[l].Len(); l == 2 && n != leastRows || n >= first.Levels[l].Len() && l > 0 {
			t.Errorf("level %d of the same batch has %d rows, at first %d", l, n, first.Levels[l].Len())
		}
	}
	cache.Done(again, true)
	cache.Forget()
	clear(table)
	if p := cache.Plan(&b.Classes); p.Levels[2].Len() != first.Levels[2].Len() || !slices.Equal(byTable(p, table), want) {
		t.Error("after Forget, the table differs from an empty one")
	}
	if p := environment.NewStateCache(100, leastRows).Plan(&b.Classes); p != nil {
		t.Errorf("a batch that is larger than half of the table has the plan %v", p)
	}
}

// TestRecallTogether: a batch does not read states that another batch in progress has only
// planned, and its states are not evicted. States of failed batches are not in the table.
func TestRecallTogether(t *testing.T) {
	const rows, lanes = 700, 3
	r, cache, table := rand.New(rand.NewPCG(7, 8)), environment.NewStateCache(rows, leastRows), make([]uint64, rows)
	type job struct {
		batch *data.Batch
		plan  *environment.CachePlan
	}
	var way []job
	planned, refused := 0, 0
	for range 1500 {
		if len(way) < lanes && r.IntN(2) == 0 {
			b := drawn(t, r, 1+r.IntN(2), 3)
			if p := cache.Plan(&b.Classes); p != nil {
				way, planned = append(way, job{b, p}), planned+1
			} else {
				refused++
			}
			continue
		}
		if len(way) == 0 {
			continue
		}
		i := r.IntN(len(way))
		j := way[i]
		way = slices.Delete(way, i, i+1)
		if r.IntN(5) == 0 {
			cache.Done(j.plan, false)
			continue
		}
		if got, want := byTable(j.plan, table), directly(j.batch); !slices.Equal(got, want) {
			t.Fatalf("states %v, directly %v", got, want)
		}
		cache.Done(j.plan, true)
	}
	if planned < 500 {
		t.Errorf("%d batches were planned and %d refused", planned, refused)
	}
	for _, j := range way {
		cache.Done(j.plan, false)
	}
	if taken, states := cache.InUse(); taken != states {
		t.Errorf("%d rows are in use for %d states", taken, states)
	}
}

// TestNames: two atoms of two batches have the same name at a level if and only if they are in
// one class in a batch of both. Their bonds are in the same order.
func TestNames(t *testing.T) {
	const levels = 3
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		g, h := tangled(r), tangled(r)
		h2 := relabelled(h, r.Perm(h.Len()), r)
		one, two, both := queriesOf(t, stored(g, h)), queriesOf(t, stored(h2)), queriesOf(t, stored(g, h, h2))
		var names []environment.Name // of the atoms of both
		for _, b := range []*data.Batch{one, two} {
			b.Refine(levels)
			b.Identify()
			for _, c := range b.AtomRow {
				names = append(names, b.Names[levels][c])
			}
		}
		both.Refine(levels)
		for v, c := range both.AtomRow {
			for w, d := range both.AtomRow[:v] {
				if (c == d) != (names[v] == names[w]) {
					t.Fatalf("atoms %d and %d of one class: %v, of one name: %v", v, w, c == d, names[v] == names[w])
				}
			}
		}
		both.Identify()
		if got, want := append(directly(one), directly(two)...), directly(both); !slices.Equal(got, want) {
			t.Fatalf("states %v, in a batch of all %v: bonds have another order", got, want)
		}
	}
}
