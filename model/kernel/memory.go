package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/model/counts"
	"pacia/ops"
	"pacia/params"
)

// Legend: n molecules of training tasks, L labels of them, T training tasks.

// Names of what a model keeps of the labels of its training tasks. The numbers are whole
// and small enough for float32.
const (
	keysName   = "memory.keys"    // [2n] 24 bits each of a molecule's key, ascending
	countsName = "memory.counts"  // [n] how many labels it has
	labelsName = "memory.labels"  // [L] task + 1, from 0, and below 0 where it is inactive there
	sharesName = "memory.actives" // [T] share of actives of a task
)

// memory is what is known of molecules from training tasks. Molecules with one
// fingerprint are one.
type memory struct {
	keys, counts, labels, actives *ts.Tensor
	rows                          *table     // made of the tensors when they are first asked for
	tasks                         int        // T
	reading                       sync.Mutex // for tasks that adapt side by side
}

// entry is a label of a molecule: how far from what is usual in its task it is.
type entry struct {
	task  int32
	value float32
}

// row is what is known of a molecule.
type row struct {
	entries []entry // of length 1 together
	mean    float64 // of its labels, drawn to 0 as by three more
}

// enough labels make a molecule known: with fewer there is nothing to compare.
const enough = 3

// layOut makes room for n molecules with L labels of T tasks.
func (m *memory) layOut(p *params.Set, n, labels, tasks int) error {
	m.keys, m.counts = p.Buffer(keysName, 0, int64(2*n)), p.Buffer(countsName, 0, int64(n))
	m.labels, m.actives = p.Buffer(labelsName, 0, int64(labels)), p.Buffer(sharesName, 0, int64(tasks))
	return p.Err()
}

// label is one of a training task.
type label struct {
	key  uint64
	task int32
	on   uint8 // 1 active, 0 inactive
}

// write fills the room with labels.
func (m *memory) write(all []label, tasks int) error {
	slices.SortFunc(all, func(a, b label) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.task, b.task), cmp.Compare(a.on, b.on))
	})
	var keys, sizes, labels []float64
	actives, sums := make([]float64, tasks), make([]float64, tasks)
	for i, l := range all {
		if i == 0 || l.key != all[i-1].key {
			keys, sizes = append(keys, float64(l.key>>24), float64(l.key&(1<<24-1))), append(sizes, 0)
		}
		sizes[len(sizes)-1]++
		value := float64(l.task + 1)
		if l.on == 1 {
			actives[l.task]++
		} else {
			value = -value
		}
		labels = append(labels, value)
		sums[l.task]++
	}
	for t := range actives {
		actives[t] /= math.Max(1, sums[t])
	}
	for _, w := range []struct {
		to     *ts.Tensor
		values []float64
	}{{m.keys, keys}, {m.counts, sizes}, {m.labels, labels}, {m.actives, actives}} {
		if err := ops.Write(w.to, w.values); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	return nil
}

// read makes rows of the tensors.
func (m *memory) read() error {
	m.reading.Lock()
	defer m.reading.Unlock()
	if m.rows != nil || m.keys == nil {
		return nil
	}
	var v [4][]float64
	for i, t := range []*ts.Tensor{m.keys, m.counts, m.labels, m.actives} {
		var err error
		if v[i], err = ops.ReadAs[float64](t); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	keys, sizes, labels, actives := v[0], v[1], v[2], v[3]
	rows := table{keys: make([]uint64, 0, len(sizes)), ends: make([]int32, 1, len(sizes)+1), entries: make([]entry, 0, len(labels))}
	for i, size := range sizes {
		if size < 0 || int(size) > len(labels) {
			return fmt.Errorf("memory: molecule %d has %v of the %d labels that are left; the model is damaged", i, size, len(labels))
		}
		if int(size) >= enough {
			if err := rows.add(uint64(keys[2*i])<<24|uint64(keys[2*i+1]), labels[:int(size)], actives); err != nil {
				return err
			}
		}
		labels = labels[int(size):]
	}
	m.rows, m.tasks = &rows, len(actives)
	return nil
}

// table is the rows of all molecules that are known, one after the other: the garbage
// collector would look through a hundred thousand of their own.
type table struct {
	keys    []uint64  // [n] ascending
	means   []float64 // [n]
	ends    []int32   // [n+1] those of molecule i: entries[ends[i]:ends[i+1]]
	entries []entry
}

// add appends a molecule: its labels less what is usual in their tasks, of which several of
// one task are added up.
func (t *table) add(key uint64, labels, actives []float64) error {
	if n := len(t.keys); n > 0 && key <= t.keys[n-1] {
		return fmt.Errorf("memory: the keys of molecules %d and %d do not ascend; the model is damaged", n-1, n)
	}
	first, mean := len(t.entries), 0.0
	for _, l := range labels {
		task := int(math.Abs(l)) - 1
		if task < 0 || task >= len(actives) {
			return fmt.Errorf("memory: a label is of task %d of %d; the model is damaged", task, len(actives))
		}
		share, on := actives[task], 0.0
		if l > 0 {
			on = 1
		}
		value := (on - share) / math.Sqrt(share*(1-share)+smooth)
		mean += value / float64(len(labels)+enough)
		if last := len(t.entries) - 1; last >= first && t.entries[last].task == int32(task) {
			t.entries[last].value += float32(value)
		} else {
			t.entries = append(t.entries, entry{int32(task), float32(value)})
		}
	}
	own, squares := t.entries[first:], 0.0
	for _, e := range own {
		squares += float64(e.value) * float64(e.value)
	}
	inverse := float32(1 / math.Max(math.Sqrt(squares), 1e-12))
	for i := range own {
		own[i].value *= inverse
	}
	t.keys, t.means, t.ends = append(t.keys, key), append(t.means, mean), append(t.ends, int32(len(t.entries)))
	return nil
}

// smooth keeps a label that nearly all molecules of a task have from counting for much.
const smooth = 0.02

// key tells fingerprints apart by 48 bits: the finaliser of splitmix64 on each count.
func key(v counts.Vector) uint64 {
	h := uint64(len(v.Bit))
	for i, bit := range v.Bit {
		h = ops.MixBits(h ^ (uint64(bit)<<16 | uint64(v.Count[i])))
	}
	return h & (1<<48 - 1)
}

// of returns what is known of a molecule, nothing where that is too little.
func (m *memory) of(v counts.Vector) row {
	if m.rows == nil {
		return row{}
	}
	i, known := slices.BinarySearch(m.rows.keys, key(v))
	if !known {
		return row{}
	}
	from, to := m.rows.ends[i], m.rows.ends[i+1]
	return row{m.rows.entries[from:to:to], m.rows.means[i]}
}
