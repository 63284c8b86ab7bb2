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

// tasksName is of the numbers of the training tasks [T], in the data set that was trained on.
const tasksName = model.MemoryPrefix + "tasks"

// memory is the labels of the training tasks. Labels of test tasks are never in it.
type memory struct {
	remembered.Labels
	known   map[uint64][]int32 // of a molecule: place + 1 of a task, below 0 where it is inactive there; nil before read
	reading sync.Mutex         // for tasks that adapt side by side
}

// Remember keeps the labels of the training tasks with these numbers. Where no molecule has
// labels of two of them, there is nothing that the method could learn from: a fault.
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

// overlap: labels in their order have a molecule of two tasks.
func overlap(all []remembered.Label) bool {
	for i := 1; i < len(all); i++ {
		if all[i].Key == all[i-1].Key && all[i].Task != all[i-1].Task {
			return true
		}
	}
	return false
}

// Room makes room for what was kept, and for the properties of its tasks.
func (m *Learner) Room(shapes map[string][]int64) error {
	m.memory.Room(m.Set, shapes)
	n := remembered.Size(shapes, tasksName)
	m.Set.Buffer(tasksName, 0, int64(n))
	if m.all == nil {
		m.addProperties(n)
	}
	return m.Set.Err()
}

// SeenInTraining tells which molecules have a label of a training task.
func (m *Learner) SeenInTraining() (func(bit, count []uint16) bool, error) {
	if err := m.memory.read(m.tasks); err != nil || m.memory.known == nil {
		return nil, err
	}
	return func(bit, count []uint16) bool {
		return m.memory.known[remembered.Key(counts.Vector{Bit: bit, Count: count})] != nil
	}, nil
}

// read lists what is known by molecule. Labels of one task that contradict each other, of
// molecules with one fingerprint, are left out.
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

// types [n][1 + len(of)] are those of the edges of molecules to the target, which are not
// measured here, and to the training tasks at the places of; known says that some is measured.
func (m *Learner) types(molecules []counts.Vector, of []int) (types []uint8, known bool) {
	column := make(map[int32]int, len(of))
	for i, p := range of {
		column[int32(p)+1] = i + 1
	}
	width := 1 + len(of)
	types = slices.Repeat([]uint8{ops.EdgeUnmeasured}, width*len(molecules))
	for i, v := range molecules {
		for _, label := range m.memory.known[remembered.Key(v)] {
			at, kind := column[max(label, -label)], ops.EdgeActive
			if label < 0 {
				kind = ops.EdgeInactive
			}
			if at > 0 {
				types[i*width+at], known = kind, true
			}
		}
	}
	return types, known
}

// asked are the types of the edges of queries, which are not measured where the settings hide them.
func (m *Learner) asked(h *data.Batch, queries []int32, of []int, s *ops.Scope) *ts.Tensor {
	if m.Properties.Queries == "hidden" {
		width := 1 + len(of)
		hidden := slices.Repeat([]uint8{ops.EdgeUnmeasured}, width*len(queries))
		return s.Keep(ops.New(hidden, []int64{int64(len(queries)), int64(width)}, m.Set.Device))
	}
	types, _ := m.edges(h, queries, nil, of, s)
	return types
}

// edges puts the types of all molecules of a batch in the order of molecules on the device, and
// those of labels, if there are, in the column of the target.
func (m *Learner) edges(h *data.Batch, molecules []int32, labels []uint8, of []int, s *ops.Scope) (types *ts.Tensor, known bool) {
	s.Check(m.memory.read(m.tasks))
	prints := ops.Try(counts.Of(h, molecules)).In(s)
	all, known := m.types(prints, of)
	width := 1 + len(of)
	for i, y := range labels {
		all[i*width] = ops.EdgeInactive + y
	}
	return s.Keep(ops.New(all, []int64{int64(len(molecules)), int64(width)}, m.Set.Device)), known
}

// told says once in a process that a support set is unknown.
var told sync.Once

func tell() {
	told.Do(func() {
		slog.Warn("no support molecule has a label of a training task, so that molecules are related by structure alone; another method may serve better")
	})
}
