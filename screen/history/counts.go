package history

import (
	"path/filepath"
	"slices"

	"pacia/internal/each"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
	"pacia/screen/trust"
)

// tally holds the n molecules of past assays.
type tally struct {
	keys             []uint64 // [n] ascending
	measured, active []int32  // [n] numbers of assays
}

// Counts returns the past assays with a function that counts those of a molecule.
func (p *Past) Counts() (*trust.Past, error) {
	if p == nil {
		return nil, nil
	}
	all, assays, err := remembered.GatherPast(p.tables())
	if err != nil {
		return nil, err
	}
	m := tallyOf(all)
	names := each.Of(p.files, func(f *file) string { return filepath.Base(f.path) })
	return &trust.Past{Files: names, Assays: assays, Counts: m.of}, nil
}

// tallyOf counts the assays of each molecule. all is in the order of keys and tasks; several labels of a molecule in a task
// count once, as active if most of them are.
func tallyOf(all []remembered.Label) *tally {
	m := new(tally)
	for i := 0; i < len(all); {
		first, votes := all[i], 0
		for ; i < len(all) && all[i].Key == first.Key && all[i].Task == first.Task; i++ {
			votes += 2*int(all[i].On) - 1
		}
		if last := len(m.keys) - 1; last < 0 || m.keys[last] != first.Key {
			m.keys, m.measured, m.active = append(m.keys, first.Key), append(m.measured, 0), append(m.active, 0)
		}
		last := len(m.keys) - 1
		m.measured[last]++
		if votes > 0 {
			m.active[last]++
		}
	}
	return m
}

func (m *tally) of(bit, count []uint16) (measured, active int) {
	key := remembered.Key(counts.Vector{Bit: bit, Count: count})
	i, known := slices.BinarySearch(m.keys, key)
	if !known {
		return 0, 0
	}
	return int(m.measured[i]), int(m.active[i])
}
