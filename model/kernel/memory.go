package kernel

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
	"pacia/ops"
)

// Legend: n molecules of training tasks, T training tasks.

// sharesName is of the shares of actives of tasks [T].
const sharesName = model.MemoryPrefix + "actives"

// memory holds the labels of molecules in training tasks.
type memory struct {
	remembered.Labels
	actives *ts.Tensor
	rows    *table     // made of the buffers when they are first asked for
	tasks   int        // T
	reading sync.Mutex // for tasks that adapt side by side
}

// entry is a label of a molecule: how far from what is usual in its task it is. Where values of the task
// were measured, it is the rank among them that counts, in place of active or inactive
// (docs/lab/numbers.md).
type entry struct {
	task  int32
	value float32
	votes int32 // labels of active less those of inactive
}

// active reports whether the molecule is active in the task: by most of its labels there, or as often active as
// not by their values. An inactive molecule may have a rank above the mean.
func (e entry) active() bool { return e.votes > 0 || e.votes == 0 && e.value > 0 }

// row holds the labels of one molecule.
type row struct {
	entries []entry // of length 1 together, or less; see few
	mean    float64 // of its labels, drawn to 0 as by three more
}

// enough labels make a molecule known: with fewer there is nothing to compare.
const enough = 3

// few labels say little: a molecule's entries have length 1 together where they are many more.
const few = 10.0

// remember keeps labels. A stored model has room for those that it kept, and for no others.
func (m *memory) remember(p *params.Set, all []remembered.Label, tasks int) error {
	if m.None() {
		m.LayOut(p, remembered.Molecules(all), len(all))
		m.actives = p.Buffer(sharesName, 0, int64(tasks))
		if err := p.Err(); err != nil {
			return err
		}
	} else if n, labels := m.Sizes(); n != remembered.Molecules(all) || labels != len(all) {
		return badinput.Newf("memory: these are %d labels of %d molecules; the model remembers %d of %d: "+
			"give all measurements of its training tasks", len(all), remembered.Molecules(all), labels, n)
	}
	m.rows = nil
	actives, sums := make([]float64, tasks), make([]float64, tasks)
	for _, l := range all {
		actives[l.Task] += float64(l.On)
		sums[l.Task]++
	}
	for t := range actives {
		actives[t] /= math.Max(1, sums[t])
	}
	if err := ops.Write(m.actives, actives); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return m.Write(all)
}

func (m *memory) read() error {
	m.reading.Lock()
	defer m.reading.Unlock()
	if m.rows != nil || m.None() {
		return nil
	}
	actives, err := ops.ReadAs[float64](m.actives)
	if err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	usual, err := m.usual(actives)
	if err != nil {
		return err
	}
	n, labels := m.Sizes()
	rows := table{keys: make([]uint64, 0, n), ends: make([]int32, 1, n+1), entries: make([]entry, 0, labels)}
	err = m.Read(len(actives), func(key uint64, labels []float64) error {
		if len(labels) >= enough {
			rows.add(key, labels, usual)
		}
		return nil
	})
	if err == nil {
		m.rows, m.tasks = &rows, len(actives)
	}
	return err
}

// scale is what labels of a task are measured by.
type scale struct{ mean, inverse float64 }

// usual are the scales of all tasks [T]: labels, or ranks, have mean 0 and deviation 1 there, or less where
// nearly all molecules have one label; see smooth.
func (m *memory) usual(actives []float64) ([]scale, error) {
	sums := make([][3]float64, len(actives)) // number, sum, sum of squares
	err := m.Read(len(actives), func(_ uint64, labels []float64) error {
		for _, l := range labels {
			task, value := valueOf(l)
			for i, x := range [3]float64{1, value, value * value} {
				sums[task][i] += x
			}
		}
		return nil
	})
	scales := make([]scale, len(actives))
	for t, s := range sums {
		n, share := math.Max(1, s[0]), actives[t]
		mean := s[1] / n
		variance := math.Max(s[2]/n-mean*mean, 1e-9)
		spread := share * (1 - share)
		scales[t] = scale{mean, math.Sqrt(spread / (spread + smooth) / variance)}
	}
	return scales, err
}

// valueOf is the number that a label stands for.
func valueOf(label float64) (task int, value float64) {
	task, on, rank := remembered.Split(label)
	if rank == 0 && on {
		rank = 1
	}
	return task, rank
}

// table is the rows of all molecules that are known, one after the other: the garbage
// collector would look through a hundred thousand of their own.
type table struct {
	keys    []uint64  // [n] ascending
	means   []float64 // [n]
	ends    []int32   // [n+1] those of molecule i: entries[ends[i]:ends[i+1]]
	entries []entry
}

// add appends a molecule: its labels less the mean of their tasks. Several labels of one
// task are added up.
func (t *table) add(key uint64, labels []float64, usual []scale) {
	first, mean := len(t.entries), 0.0
	for _, l := range labels {
		task, value := valueOf(l)
		value = (value - usual[task].mean) * usual[task].inverse
		mean += value / float64(len(labels)+enough)
		if last := len(t.entries) - 1; last < first || t.entries[last].task != int32(task) {
			t.entries = append(t.entries, entry{task: int32(task)})
		}
		e := &t.entries[len(t.entries)-1]
		e.value += float32(value)
		if l > 0 {
			e.votes++
		} else {
			e.votes--
		}
	}
	own, squares := t.entries[first:], few
	for _, e := range own {
		squares += float64(e.value) * float64(e.value)
	}
	inverse := float32(1 / math.Sqrt(squares))
	for i := range own {
		own[i].value *= inverse
	}
	t.keys, t.means, t.ends = append(t.keys, key), append(t.means, mean), append(t.ends, int32(len(t.entries)))
}

// smooth keeps a label that nearly all molecules of a task have from counting for much.
const smooth = 0.02

// of returns what is known of a molecule, nothing where that is too little.
func (m *memory) of(v counts.Vector) row {
	if m.rows == nil {
		return row{}
	}
	i, known := slices.BinarySearch(m.rows.keys, remembered.Key(v))
	if !known {
		return row{}
	}
	from, to := m.rows.ends[i], m.rows.ends[i+1]
	return row{m.rows.entries[from:to:to], m.rows.means[i]}
}
