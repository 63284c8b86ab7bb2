package mhnfs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/model"
	"pacia/ops"
)

// context holds the molecules of the context in the form that the encoder reads. They are stored in
// the buffers of kept.go, so that a checkpoint can be used without the data set.
type context struct {
	kept    map[string]*ts.Tensor
	batch   *data.Batch // made from the buffers at first use
	reading sync.Mutex  // for tasks that adapt concurrently
}

// Remember draws the context from the molecules of the tasks with these numbers, with the
// seed of the parameters.
func (m *mhnfs) Remember(d *data.Dataset, tasks []int) error {
	if m.stages.context == nil {
		return nil
	}
	rows := drawn(d, tasks, m.settings.Context.Molecules, m.Set.Seed)
	b, err := data.AssembleSupport(d.Store, data.Episode{Support: rows, SupportLabels: make([]uint8, len(rows))})
	if err != nil {
		return fmt.Errorf("context: %w", err)
	}
	values, shapes := packed(b), map[string][]int64{}
	for name, v := range values {
		shapes[name] = []int64{int64(len(v))}
	}
	if err := m.Room(shapes); err != nil {
		return err
	}
	for name, v := range values {
		if err := ops.Write(m.context.kept[name], v); err != nil {
			return fmt.Errorf("context: %w", err)
		}
	}
	return nil
}

// drawn returns n distinct molecules of tasks, or all if there are fewer, in the order of
// the store.
func drawn(d *data.Dataset, tasks []int, n int, seed uint64) []int32 {
	var rows []int32
	for _, t := range tasks {
		rows = append(rows, d.Tasks[t].Rows...)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	data.Rand(seed, "context", 0).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:min(n, len(rows))]
	slices.Sort(rows)
	return rows
}

// Room allocates the stored buffers.
func (m *mhnfs) Room(shapes map[string][]int64) error {
	m.context.kept, m.context.batch = map[string]*ts.Tensor{}, nil
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		if strings.HasPrefix(name, prefix) {
			m.context.kept[name] = m.Set.Buffer(name, 0, shapes[name]...)
		}
	}
	return m.Set.Err()
}

// place copies the context's molecules to the device. They are read and prepared only once,
// because preparing writes to them.
func (c *context) place(b *model.Body, s *ops.Scope) *model.Batch {
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.batch == nil {
		batch := ops.Try(c.read(b.Reads().Fields())).In(s)
		c.batch = batch
	}
	return b.Place(c.batch, s)
}

// read returns the molecules in the buffers as the support set of one task, with the arrays of these fields.
func (c *context) read(fields []molecule.Field) (*data.Batch, error) {
	values := map[string][]float64{}
	for name, t := range c.kept {
		var err error
		if values[name], err = ops.ReadAs[float64](t); err != nil {
			return nil, fmt.Errorf("context: %w", err)
		}
	}
	b, err := unpacked(values, fields)
	if err != nil {
		return nil, fmt.Errorf("context: %w; the model is damaged", err)
	}
	return b, nil
}

// keys returns the keys and values of the context in the Hopfield network, or nil without a
// context.
func (m *mhnfs) keys(mode ops.Mode, s *ops.Scope) *hopfieldKeys {
	if m.stages.context == nil || len(m.context.kept) == 0 {
		return nil
	}
	return m.keysOf(m.vectors(mode, s), s)
}

// vectors returns the vectors [C, d] of the context's molecules.
func (m *mhnfs) vectors(mode ops.Mode, s *ops.Scope) (vectors *ts.Tensor) {
	encode := func(own *ops.Scope) {
		b := m.context.place(m.Body, own)
		read, _ := m.Encode(b, mode.Site(siteContext), nil, own)
		vectors = read.Of(b.SupportMol, s)
	}
	if m.settings.Context.Gradient {
		encode(s)
		return vectors
	}
	var own ops.Scope // for the many tensors that are not needed afterwards
	defer own.Drop()
	s.Check(ops.WithoutGrad(func() error { return own.Run(func() { encode(&own) }) }))
	return vectors
}
