package model

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"pacia/cuda"
	"pacia/data"
	"pacia/ops"
)

// A Stepper makes training steps on a GPU without waiting for them. Batches of
// one shape (see rounded) share one shapedStep:
//
//  1. The first is launched kernel by kernel.
//  2. The second is captured in a CUDA graph: all launches of forward pass,
//     backward pass and optimiser, as one.
//  3. The graph is launched from then on; only the slab with the batch is new.
//
// If a graph cannot be captured, or is not wanted, all steps are launched kernel by
// kernel, from the same slab.
type Stepper struct {
	model    *Model
	adam     *ops.Adam
	steps    map[shape]*shapedStep
	most     int // of them
	recorder recorder
	captured int    // graphs so far
	refusals int    // to capture one, so far
	clock    int    // steps submitted
	pending  int    // of them not collected
	restore  func() // gives back the thread's stream
}

// Limits of a stepper.
const (
	// ahead is how many steps are under way before their losses are looked at.
	ahead = 32
	// mostShapes have a graph at a time, each with a copy of a step's launches.
	// Tox21's episodes of one size come in about eight shapes.
	mostShapes = 32
	// mostTries are made to capture a shape's step: what refused the first, such as
	// memory that others held, may have passed.
	mostTries = 2
	// mostRefusals in a run without a single graph mean that none can be had.
	mostRefusals = 6
)

// graphsVariable is 0 where steps are to be launched kernel by kernel, so that they can
// be compared with those that are replayed.
const graphsVariable = "PACIA_GRAPHS"

// recorder captures graphs; nil where steps are launched one by one.
type recorder interface {
	// record captures the work that launch starts. pool is a graph or nil. Its
	// memory may be shared, because the two never run side by side.
	record(pool recording, launch func() error) (recording, error)
}

// recording is the captured work of a recorder.
type recording interface {
	Replay() error
	Nodes() int
	Drop()
}

// NewStepper makes a stepper of a model that trains with adam. The model must
// be on a GPU. It takes the calling OS thread's stream of that device, until
// Close.
func (m *Model) NewStepper(adam *ops.Adam) (*Stepper, error) {
	s := &Stepper{model: m, adam: adam, steps: map[shape]*shapedStep{}, most: mostShapes}
	if m.set.Device == ops.CPU {
		return s, nil
	}
	// The new stream would not wait for work already begun on the old one, such as
	// filling Adam's moments with zeros.
	if err := cuda.Synchronize(int(m.set.Device)); err != nil {
		return nil, fmt.Errorf("training on a GPU: %w", err)
	}
	restore, err := cuda.UseOwnStream(int(m.set.Device))
	if err != nil {
		return nil, fmt.Errorf("training on a GPU: %w", err)
	}
	s.restore = restore
	if os.Getenv(graphsVariable) != "0" {
		s.recorder = capturer{int(m.set.Device)}
	}
	return s, nil
}

// Ahead is how many steps may be submitted before Collect.
func (s *Stepper) Ahead() int { return ahead }

// Submit starts a step on a batch, with dropout as the key of its masks, and
// does not wait for it.
func (s *Stepper) Submit(b *data.Batch, dropout uint64) error {
	if err := s.model.checkStep(b); err != nil {
		return err
	}
	if !ascends(b) {
		return errOrder
	}
	if err := s.model.config.checkMolecules(b); err != nil {
		return err
	}
	if err := s.model.config.checkGraph(b); err != nil {
		return err
	}
	p, err := s.stepFor(b)
	if err != nil {
		return err
	}
	if err := p.send(b, dropout); err != nil {
		return err
	}
	if p.graph == nil && p.calls > 0 {
		if err := s.record(p); err != nil {
			return err
		}
	}
	if p.graph != nil {
		if err = p.graph.Replay(); err == nil {
			p.step.Replayed()
		}
	} else {
		err = ops.Exclusively(s.model.set.Device, func() error { return s.model.launch(p, dropout, false) })
	}
	if err != nil {
		return err
	}
	s.clock++
	s.pending++
	p.calls, p.used = p.calls+1, s.clock
	return nil
}

// Collect waits for the steps submitted since the last call and returns their outcomes,
// in order. The first step with a loss or gradient that is not finite is the last: it
// and all later ones have changed nothing.
func (s *Stepper) Collect() ([]ops.StepOutcome, error) {
	n := s.pending
	s.pending = 0
	if n == 0 {
		return nil, nil
	}
	outcomes, err := s.adam.Outcomes(n)
	for i, o := range outcomes {
		if !o.Finite() {
			return outcomes[:i+1], err
		}
	}
	return outcomes, err
}

// Launches returns how many kernels and copies a step of the latest shape
// consists of, or 0 where they are not in a graph.
func (s *Stepper) Launches() int {
	var latest *shapedStep
	for _, p := range s.steps {
		if p.graph != nil && (latest == nil || p.used > latest.used) {
			latest = p
		}
	}
	if latest == nil {
		return 0
	}
	return latest.graph.Nodes()
}

// Close releases the steps. Nothing may be under way.
func (s *Stepper) Close() {
	for _, p := range s.steps {
		p.drop()
	}
	s.steps = nil
	if s.restore != nil {
		s.restore()
	}
}

func (s *Stepper) stepFor(b *data.Batch) (*shapedStep, error) {
	shape := shapeOf(b)
	if p := s.steps[shape]; p != nil {
		return p, nil
	}
	if len(s.steps) == s.most {
		if err := s.forgetOldest(); err != nil {
			return nil, err
		}
	}
	// Not while another thread captures: the allocator can then give nothing back, and
	// a full device has no room.
	err := ops.Concurrently(s.model.set.Device, func() (err error) {
		s.steps[shape], err = newShapedStep(shape, b, s.adam, s.model.set)
		return err
	})
	if err != nil {
		delete(s.steps, shape)
		return nil, err
	}
	return s.steps[shape], nil
}

// forgetOldest drops the step that was used longest ago. It may be under way.
func (s *Stepper) forgetOldest() error {
	var oldest *shapedStep
	for _, p := range s.steps {
		if oldest == nil || p.used < oldest.used {
			oldest = p
		}
	}
	if s.model.set.Device != ops.CPU {
		if err := cuda.Synchronize(int(s.model.set.Device)); err != nil {
			return err
		}
	}
	delete(s.steps, oldest.shape)
	oldest.drop()
	return nil
}

// record captures a step, if that was not tried too often. An obstacle to
// capturing is reported and costs only time, unless the device is lost.
func (s *Stepper) record(p *shapedStep) error {
	if s.recorder == nil || p.refusals == mostTries {
		return nil
	}
	var pool recording
	for _, other := range s.steps {
		if other.graph != nil {
			pool = other.graph
		}
	}
	g, err := s.recorder.record(pool, func() error { return s.model.launch(p, 0, true) })
	if err == nil {
		err = p.step.Place()
	}
	if err == nil {
		p.graph = g
		s.captured++
		return nil
	}
	if g != nil {
		g.Drop()
	}
	if errors.Is(err, ops.ErrDeviceLost) {
		return err
	}
	p.refusals++
	s.refusals++
	switch {
	case s.captured == 0 && s.refusals == mostRefusals:
		s.recorder = nil
		slog.Warn("all steps are launched kernel by kernel: no CUDA graph could be captured", "tries", s.refusals, "reason", err)
	case p.refusals == mostTries:
		slog.Warn("steps of one shape are launched kernel by kernel: their CUDA graph could not be captured", "atoms", p.shape.atoms, "reason", err)
	default:
		slog.Warn("a CUDA graph could not be captured, which is tried once more", "atoms", p.shape.atoms, "reason", err)
	}
	return nil
}

// capturer records CUDA graphs of a device.
type capturer struct{ device int }

// record captures alone: libtorch's allocator serves all threads. Afterwards the allocator
// gives back what it keeps without need, which it cannot do during a capture: the first
// step of a shape took as much as its graph has, 0.6 GB on Tox21, for each replica.
func (c capturer) record(pool recording, launch func() error) (g recording, err error) {
	err = ops.Exclusively(ops.Device(c.device), func() (err error) {
		g, err = c.capture(pool, launch)
		return errors.Join(err, cuda.FreeCached())
	})
	return g, err
}

func (c capturer) capture(pool recording, launch func() error) (recording, error) {
	g, err := cuda.NewGraph(c.device)
	if err != nil {
		return nil, err
	}
	shared, _ := pool.(*cuda.Graph)
	if err := g.Begin(shared); err != nil {
		g.Drop()
		return nil, err
	}
	if err = launch(); err != nil {
		err = errors.Join(err, g.Abort())
	} else {
		err = g.End()
	}
	if err != nil {
		g.Drop()
		return nil, err
	}
	return g, nil
}
