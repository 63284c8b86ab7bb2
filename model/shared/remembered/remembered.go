package remembered

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Legend: n molecules of training tasks, L labels of them.

// Names of the buffers. Their numbers are exact in float32: integers, and tasks plus 256ths.
const (
	keysName   = model.MemoryPrefix + "keys"   // [2n] 24 bits each of a molecule's key, ascending
	countsName = model.MemoryPrefix + "counts" // [n] how many labels it has
	// [L] place of the task + 1, negative for inactive, with the rank as its fraction; see [Split].
	labelsName = model.MemoryPrefix + "labels"
)

// Label is a label of a training task.
type Label struct {
	Key  uint64 // of the molecule
	Task int32  // place of the task among the stored ones
	On   uint8  // 1 active, 0 inactive
	Rank uint8  // of its value in the task, in 256ths; 0: the task has none
}

// Gather lists the labels of the tasks with these numbers.
func Gather(d *data.Dataset, tasks []int) ([]Label, error) {
	f, ok := molecule.FingerprintsOf(d.Store)
	if !ok {
		return nil, fmt.Errorf("memory: the %d molecules of %s come without fingerprints", d.Store.Len(), d.Name)
	}
	keys := make(map[int32]uint64)
	var all []Label
	for i, number := range tasks {
		t := &d.Tasks[number]
		ranks := Ranks(t, parts)
		for j, row := range t.Rows {
			own, known := keys[row]
			if !known {
				bit, count := f.At(int(row))
				own = Key(counts.Vector{Bit: bit, Count: count})
				keys[row] = own
			}
			l := Label{Key: own, Task: int32(i), On: t.Labels[j]}
			if ranks != nil {
				l.Rank = ranks[j]
			}
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b Label) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Task, b.Task), cmp.Compare(a.On, b.On), cmp.Compare(a.Rank, b.Rank))
	})
	return all, nil
}

// Molecules returns the number of molecules with labels. all must be in the order of Gather.
func Molecules(all []Label) (n int) {
	for i, l := range all {
		if i == 0 || l.Key != all[i-1].Key {
			n++
		}
	}
	return n
}

// Key returns a hash of a fingerprint with 48 bits, by the finaliser of splitmix64 on each count.
func Key(v counts.Vector) uint64 {
	h := uint64(len(v.Bit))
	for i, bit := range v.Bit {
		h = ops.MixBits(h ^ (uint64(bit)<<16 | uint64(v.Count[i])))
	}
	return h & (1<<48 - 1)
}

// Keys returns the keys of molecules [n].
func Keys(f *molecule.Fingerprints) []uint64 {
	keys := make([]uint64, f.Len())
	for i := range keys {
		bit, count := f.At(i)
		keys[i] = Key(counts.Vector{Bit: bit, Count: count})
	}
	return keys
}

// Labels holds the buffers. The zero value has none.
type Labels struct {
	keys, counts, labels *ts.Tensor
	skeletons            *ts.Tensor // nil: none are kept
	n, size, words       int        // molecules, labels, numbers of the skeletons
}

// None reports whether no buffers are allocated.
func (l *Labels) None() bool { return l.keys == nil }

// LayOut allocates buffers for the given number of labels of n molecules.
func (l *Labels) LayOut(p *params.Set, n, labels int) {
	l.keys, l.counts = p.Buffer(keysName, 0, int64(2*n)), p.Buffer(countsName, 0, int64(n))
	l.labels = p.Buffer(labelsName, 0, int64(labels))
	l.n, l.size = n, labels
}

// Room is like LayOut, with the sizes from the shapes of a stored model's buffers.
func (l *Labels) Room(p *params.Set, shapes map[string][]int64) {
	l.LayOut(p, Size(shapes, countsName), Size(shapes, labelsName))
	l.LayOutSkeletons(p, Size(shapes, skeletonsName))
}

// Size returns the length of a vector among the shapes, 0 if it is missing.
func Size(shapes map[string][]int64, name string) int {
	if s := shapes[name]; len(s) == 1 {
		return int(s[0])
	}
	return 0
}

// Write fills the buffers with labels in the order of Gather.
func (l *Labels) Write(all []Label) error {
	var keys, sizes, labels []float64
	for i, one := range all {
		if i == 0 || one.Key != all[i-1].Key {
			keys, sizes = append(keys, float64(one.Key>>24), float64(one.Key&(1<<24-1))), append(sizes, 0)
		}
		sizes[len(sizes)-1]++
		labels = append(labels, one.Stored())
	}
	for _, w := range []struct {
		to     *ts.Tensor
		values []float64
	}{{l.keys, keys}, {l.counts, sizes}, {l.labels, labels}} {
		if err := ops.Write(w.to, w.values); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	return nil
}

// Stored returns the label as a number: see [Split].
func (l Label) Stored() float64 {
	value := float64(l.Task+1) + float64(l.Rank)/parts
	if l.On == 0 {
		return -value
	}
	return value
}

// Sizes returns the numbers of molecules and labels.
func (l *Labels) Sizes() (molecules, labels int) { return l.n, l.size }

// Read calls add for each molecule, by ascending keys, with its labels: task + 1 for active and
// −(task + 1) for inactive, with ranks, see [Split]. Tasks must be less than limit. add must not keep
// the slice.
func (l *Labels) Read(limit int, add func(key uint64, labels []float64) error) error {
	var v [3][]float64
	for i, t := range []*ts.Tensor{l.keys, l.counts, l.labels} {
		var err error
		if v[i], err = ops.ReadAs[float64](t); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	keys, sizes, labels := v[0], v[1], v[2]
	last := uint64(0)
	for i, size := range sizes {
		if size < 0 || int(size) > len(labels) {
			return fmt.Errorf("memory: molecule %d has %v of the %d labels that are left; the model is damaged", i, size, len(labels))
		}
		key := uint64(keys[2*i])<<24 | uint64(keys[2*i+1])
		if i > 0 && key <= last {
			return fmt.Errorf("memory: the keys of molecules %d and %d do not ascend; the model is damaged", i-1, i)
		}
		own := labels[:int(size)]
		for _, label := range own {
			if task := int(max(label, -label)) - 1; task < 0 || task >= limit {
				return fmt.Errorf("memory: a label is of task %d of %d; the model is damaged", task, limit)
			}
		}
		if err := add(key, own); err != nil {
			return err
		}
		last, labels = key, labels[int(size):]
	}
	return nil
}
