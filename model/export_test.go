package model

import (
	"errors"

	"pacia/data"
)

// Internals for tests outside of the package: package modeltest, which they use,
// imports this one.

// WithTables sets the number of rows of state tables, and returns a function that restores it.
func WithTables(rows int) (undo func()) {
	before := tableRows
	tableRows = func(int) int { return rows }
	return func() { tableRows = before }
}

// SameShape reports whether steps of two batches are of one shape.
func SameShape(a, b *data.Batch) bool { return shapeOf(a) == shapeOf(b) }

// WithoutGraphs makes every attempt to capture a CUDA graph fail. tried returns the
// number of attempts.
func (s *Stepper) WithoutGraphs() (tried func() int) {
	u := new(unable)
	s.recorder = u
	return func() int { return u.tried }
}

// unable is a recorder that captures nothing.
type unable struct{ tried int }

func (u *unable) record(recording, func() error) (recording, error) {
	u.tried++
	return nil, errors.New("no graphs here")
}

// Captures makes the first attempts to capture a CUDA graph fail with the errors in
// Refused. Later attempts return graphs with a Replay that only returns Replays.
type Captures struct {
	Refused []error
	Replays error
	Tried   int
	Played  int
}

// Capture makes c the recorder of the stepper.
func (s *Stepper) Capture(c *Captures) { s.recorder = c }

func (c *Captures) record(recording, func() error) (recording, error) {
	c.Tried++
	if c.Tried <= len(c.Refused) {
		return nil, c.Refused[c.Tried-1]
	}
	return (*played)(c), nil
}

type played Captures

func (p *played) Replay() error { p.Played++; return p.Replays }
func (*played) Nodes() int      { return 123 }
func (*played) Drop()           {}

// Keep sets the number of shapes whose steps are kept.
func (s *Stepper) Keep(shapes int) { s.limit = shapes }

// Programs returns the number of steps kept.
func (s *Stepper) Programs() int { return len(s.steps) }

// Tuned returns the copy of the model that was fine-tuned to the task.
func (a *Adapted) Tuned() *Model { return a.model }

// Untuned returns a copy of the model before its first step of fine-tuning.
func (m *Model) Untuned() (*Model, error) {
	c, err := m.copy()
	if err != nil {
		return nil, err
	}
	return c, c.method.(Tuner).Begin()
}

// Examples returns the batch of the steps of fine-tuning on a support set.
func (m *Model) Examples(support *data.Batch) *data.Batch {
	return m.method.(Tuner).Examples(support)
}

// HeldOut splits a support set into the part for the steps and the part held out.
func HeldOut(support *data.Batch, share float64) (kept, held *data.Batch) {
	l := holdOut(support, Tuning{Held: share})
	return l.others, l.held
}

// Rank returns the model's input for the value x of a descriptor.
func Rank(knots []float32, x float32) float32 { return rank(knots, x) }

// Knots is the number of knots of a descriptor.
const Knots = knots
