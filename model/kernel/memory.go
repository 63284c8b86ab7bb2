package kernel

import (
	"errors"
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

// sharesName names the buffer of the shares of actives of tasks [T].
const sharesName = model.MemoryPrefix + "actives"

// memory holds the labels of molecules in training tasks.
type memory struct {
	remembered.Labels
	actives *ts.Tensor
	rows    *table     // made from the buffers at first use
	tasks   int        // T
	reading sync.Mutex // for tasks that adapt concurrently
}

// entry is a label of a molecule, relative to the labels of its task. If the task has measured values, the
// rank among these is used in place of active or inactive (docs/lab/numbers.md).
type entry struct {
	task  int32
	value float32
	votes int32 // active labels minus inactive ones
}

// active reports whether most of the molecule's labels in the task are active. Ties are resolved by value. An
// inactive molecule may have a rank above the mean, so that value alone does not suffice.
func (e entry) active() bool { return e.votes > 0 || e.votes == 0 && e.value > 0 }

// row holds the labels of one molecule.
type row struct {
	entries []entry // a vector of length at most 1; see few
	mean    float64 // of its labels, shrunk towards 0 as by three labels of 0

	predicted bool // by what past assays taught; see predicted.go
}

// enough is the number of labels from which on a molecule is known.
const enough = 3

// few is added to the squared length of a molecule's entries before they are divided by the length. So
// molecules with few labels have shorter vectors and count less.
const few = 10.0

// remember keeps labels. A stored model accepts only as many labels as it has kept.
func (m *memory) remember(p *params.Set, all []remembered.Label, skeletons remembered.Skeletons, tasks int) error {
	if m.None() {
		m.LayOut(p, remembered.Molecules(all), len(all))
		m.LayOutSkeletons(p, len(skeletons))
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
	return errors.Join(m.Write(all), m.WriteSkeletons(skeletons))
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

// scale standardises labels of a task.
type scale struct{ mean, inverse float64 }

// usual returns the scales of all tasks [T]. Scaled labels, or ranks, have mean 0 and deviation 1, or less
// if nearly all molecules of a task have the same label; see smooth.
func (m *memory) usual(actives []float64) ([]scale, error) {
	of := make([]sums, len(actives))
	err := m.Read(len(actives), func(_ uint64, labels []float64) error {
		for _, l := range labels {
			task, value := valueOf(l)
			of[task].add(value)
		}
		return nil
	})
	scales := make([]scale, len(actives))
	for t, s := range of {
		scales[t] = s.scale(actives[t])
	}
	return scales, err
}

// sums are the number, the sum and the sum of squares of a task's values.
type sums [3]float64

func (s *sums) add(value float64) {
	for i, x := range [3]float64{1, value, value * value} {
		s[i] += x
	}
}

// scale returns the scale of a task with this share of actives.
func (s *sums) scale(share float64) scale {
	n := math.Max(1, s[0])
	mean := s[1] / n
	variance := math.Max(s[2]/n-mean*mean, 1e-9)
	spread := share * (1 - share)
	return scale{mean, math.Sqrt(spread / (spread + smooth) / variance)}
}

// valueOf returns the task and the value of a stored label.
func valueOf(label float64) (task int, value float64) {
	task, on, rank := remembered.Split(label)
	if rank == 0 && on {
		rank = 1
	}
	return task, rank
}

// table holds the rows of all known molecules, concatenated, because a hundred thousand
// separate rows would slow down the garbage collector.
type table struct {
	keys    []uint64  // [n] ascending
	means   []float64 // [n]
	ends    []int32   // [n+1] molecule i has entries[ends[i]:ends[i+1]]
	entries []entry
}

// add appends a molecule with its scaled labels. Several labels of one task are added up.
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

// smooth limits the weight of rare labels in tasks in which nearly all molecules have the same label.
const smooth = 0.02

// of returns the row of a molecule, empty if it has fewer than [enough] labels.
func (m *memory) of(v counts.Vector) row { return m.rows.of(v) }

// of returns the row of a molecule, empty if the table lacks it.
func (t *table) of(v counts.Vector) row {
	if t == nil {
		return row{}
	}
	i, known := slices.BinarySearch(t.keys, remembered.Key(v))
	if !known {
		return row{}
	}
	from, to := t.ends[i], t.ends[i+1]
	return row{entries: t.entries[from:to:to], mean: t.means[i]}
}
