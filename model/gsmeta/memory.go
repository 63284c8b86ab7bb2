package gsmeta

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
	"pacia/ops"
)

// Legend: T training tasks, n molecules.

// tasksName names the buffer of the training tasks [T], by their numbers in the training data set.
const tasksName = model.MemoryPrefix + "tasks"

// memory holds the labels of the training tasks. It never holds labels of test tasks.
type memory struct {
	remembered.Labels
	known   map[uint64][]int32 // by molecule: place + 1 of each task, negated if inactive there; nil before read
	reading sync.Mutex         // for tasks that adapt concurrently
}

// Remember keeps the labels of the training tasks with these numbers. It returns a *badinput.Error
// if no molecule has labels of two of them, because the method then has nothing to learn from.
func (m *Learner) Remember(d *data.Dataset, tasks []int) error {
	all, err := remembered.Gather(d, tasks)
	if err != nil {
		return err
	}
	if !overlap(all) {
		f := badinput.Newf("no molecule of %s has labels of two training tasks, which model.method=gsmeta relates tasks by", d.Name)
		f.Fix = "write another model.method, such as par"
		return f
	}
	m.memory.LayOut(m.Set, remembered.Molecules(all), len(all))
	of := m.Set.Buffer(tasksName, 0, int64(len(tasks)))
	if err := m.Set.Err(); err != nil {
		return err
	}
	numbers := each.As[float64](tasks)
	if err := ops.Write(of, numbers); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return m.memory.Write(all)
}

// overlap reports whether a molecule has labels of two tasks, in sorted labels.
func overlap(all []remembered.Label) bool {
	for i := 1; i < len(all); i++ {
		if all[i].Key == all[i-1].Key && all[i].Task != all[i-1].Task {
			return true
		}
	}
	return false
}

// Room allocates the stored buffers, and the properties of their tasks.
func (m *Learner) Room(shapes map[string][]int64) error {
	m.memory.Room(m.Set, shapes)
	n := remembered.Size(shapes, tasksName)
	m.Set.Buffer(tasksName, 0, int64(n))
	if m.all == nil {
		m.addProperties(n)
	}
	return m.Set.Err()
}

// SeenInTraining returns a function that reports whether a molecule has a label of a training task.
func (m *Learner) SeenInTraining() (func(bit, count []uint16) bool, error) {
	if err := m.memory.read(m.tasks); err != nil || m.memory.known == nil {
		return nil, err
	}
	return func(bit, count []uint16) bool {
		return m.memory.known[remembered.Key(counts.Vector{Bit: bit, Count: count})] != nil
	}, nil
}

// Skeletons returns nil: the method keeps none.
func (m *Learner) Skeletons() (func(skeleton uint64) bool, error) { return m.memory.Skeletons() }

// read makes the map of known labels by molecule. It leaves out contradicting labels of one task
// for molecules with equal fingerprints.
func (m *memory) read(tasks int) error {
	m.reading.Lock()
	defer m.reading.Unlock()
	if m.known != nil || m.None() {
		return nil
	}
	n, size := m.Sizes()
	known, places := make(map[uint64][]int32, n), make([]int32, 0, size)
	err := m.Read(tasks, func(key uint64, labels []float64) error {
		first := len(places)
		for i := 0; i < len(labels); {
			place, same := labels[i], true
			for ; i < len(labels) && max(labels[i], -labels[i]) == max(place, -place); i++ {
				same = same && labels[i] == place
			}
			if same {
				places = append(places, int32(place))
			}
		}
		if len(places) > first {
			known[key] = places[first:len(places):len(places)]
		}
		return nil
	})
	if err == nil {
		m.known = known
	}
	return err
}

// types returns the types [n, 1 + len(of)] of the edges from molecules to the target, all "not
// measured", and to the training tasks at the places of. known reports whether any is measured.
func (m *Learner) types(molecules []counts.Vector, of []int) (types []uint8, known bool) {
	column := make(map[int32]int, len(of))
	for i, p := range of {
		column[int32(p)+1] = i + 1
	}
	width := 1 + len(of)
	types = slices.Repeat([]uint8{edgeUnmeasured}, width*len(molecules))
	for i, v := range molecules {
		for _, label := range m.memory.known[remembered.Key(v)] {
			at, kind := column[max(label, -label)], edgeActive
			if label < 0 {
				kind = edgeInactive
			}
			if at > 0 {
				types[i*width+at], known = kind, true
			}
		}
	}
	return types, known
}

// queryTypes returns the types of the edges of queries, all "not measured" if the settings hide them.
func (m *Learner) queryTypes(h *data.Batch, queries []int32, of []int, s *ops.Scope) *ts.Tensor {
	if m.Properties.Queries == "hidden" {
		width := 1 + len(of)
		hidden := slices.Repeat([]uint8{edgeUnmeasured}, width*len(queries))
		return s.Keep(ops.New(hidden, []int64{int64(len(queries)), int64(width)}, m.Set.Device))
	}
	types, _ := m.edges(h, queries, nil, of, s)
	return types
}

// edges returns the types of the edges of the given molecules of a batch, on the device. Labels, if
// any, are in the column of the target.
func (m *Learner) edges(h *data.Batch, molecules []int32, labels []uint8, of []int, s *ops.Scope) (types *ts.Tensor, known bool) {
	s.Check(m.memory.read(m.tasks))
	prints := ops.Try(counts.Vectors(h, molecules)).In(s)
	all, known := m.types(prints, of)
	width := 1 + len(of)
	for i, y := range labels {
		all[i*width] = edgeInactive + y
	}
	return s.Keep(ops.New(all, []int64{int64(len(molecules)), int64(width)}, m.Set.Device)), known
}

// warned limits warnUnknown to one warning per process.
var warned sync.Once

// warnUnknown warns that a support set has no label of a training task.
func warnUnknown() {
	warned.Do(func() {
		slog.Warn("no support molecule has a label of a training task, so that molecules are related by structure alone; another method may serve better")
	})
}
