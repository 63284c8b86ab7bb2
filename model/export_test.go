package model

import (
	"errors"

	"pacia/data"
)

// Internals for tests outside of the package: package modeltest, which they use,
// imports this one.

// WithTables makes tables of states have so many rows, and returns what undoes that.
func WithTables(rows int) (undo func()) {
	before := tableRows
	tableRows = func(int) int { return rows }
	return func() { tableRows = before }
}

// SameShape reports whether steps of two batches are of one shape.
func SameShape(a, b *data.Batch) bool { return shapeOf(a) == shapeOf(b) }

// WithoutGraphs makes every attempt to capture a CUDA graph fail, and returns how
// many there were.
func (s *Stepper) WithoutGraphs() (asked func() int) {
	u := new(unable)
	s.recorder = u
	return func() int { return u.asked }
}

// unable is a recorder that captures nothing.
type unable struct{ asked int }

func (u *unable) record(recording, func() error) (recording, error) {
	u.asked++
	return nil, errors.New("no graphs here")
}

// Captures makes attempts to capture a CUDA graph fail with the given errors, one
// after the other. Later ones give graphs that do nothing but end with what Replays
// says.
type Captures struct {
	Refused []error
	Replays error
	Asked   int
	Played  int
}

// Capture makes c what the stepper's graphs come from.
func (s *Stepper) Capture(c *Captures) { s.recorder = c }

func (c *Captures) record(recording, func() error) (recording, error) {
	c.Asked++
	if c.Asked <= len(c.Refused) {
		return nil, c.Refused[c.Asked-1]
	}
	return (*played)(c), nil
}

type played Captures

func (p *played) Replay() error { p.Played++; return p.Replays }
func (*played) Nodes() int      { return 123 }
func (*played) Drop()           {}

// Keep makes room for steps of so many shapes.
func (s *Stepper) Keep(shapes int) { s.most = shapes }

// Programs is how many there are.
func (s *Stepper) Programs() int { return len(s.steps) }

// Tuned is the copy of the model that serves the task.
func (a *Adapted) Tuned() *Model { return a.model }

// Untuned is the copy of a model before its first step of fine-tuning.
func (m *Model) Untuned() (*Model, error) {
	c, err := m.copy()
	if err != nil {
		return nil, err
	}
	return c, c.method.(Tuner).Begin()
}

// Examples is the batch of the steps of fine-tuning on a support set.
func (m *Model) Examples(support *data.Batch) *data.Batch {
	return m.method.(Tuner).Examples(support)
}

// HeldOut divides a support set into the part that steps see and the part that they
// do not see.
func HeldOut(support *data.Batch, share float64) (kept, held *data.Batch) {
	l := (*Model)(nil).lookout(support, Tuning{Held: share})
	return l.kept, l.held
}

// Rank is the model's input for a descriptor.
func Rank(knots []float32, x float32) float32 { return rank(knots, x) }

// Knots is how many a descriptor has.
const Knots = knots
