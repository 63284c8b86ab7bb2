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
//  1. The first step is launched kernel by kernel.
//  2. The second step is captured in a CUDA graph, which contains all launches of
//     forward pass, backward pass and optimiser.
//  3. Later steps launch the graph; only the slab with the batch is new.
//
// If a graph cannot be captured, or graphs are switched off, all steps are launched
// kernel by kernel, from the same slab.
type Stepper struct {
	model    *Model
	adam     *ops.Adam
	steps    map[shape]*shapedStep
	limit    int // largest number of shapes, and so of steps
	recorder recorder
	captured int    // graphs so far
	refusals int    // to capture one, so far
	clock    int    // steps submitted
	pending  int    // of them not collected
	restore  func() // restores the thread's stream
}

// Limits of a stepper.
const (
	// ahead is the number of steps under way before their losses are read.
	ahead = 32
	// mostShapes is the largest number of shapes with a graph. Tox21's episodes of
	// one size have about eight shapes.
	mostShapes = 32
	// mostTries is the number of attempts to capture the step of a shape. The cause
	// of a failure, such as memory held by others, may be temporary.
	mostTries = 2
	// mostRefusals is the number of failures after which a run without any graph
	// makes no more attempts.
	mostRefusals = 6
)

// graphsVariable is the environment variable that, set to 0, makes steps launch kernel by
// kernel, for comparison with replayed steps.
const graphsVariable = "PACIA_GRAPHS"

// recorder captures graphs. It is nil if steps are launched kernel by kernel.
type recorder interface {
	// record captures the work that launch starts. pool is a graph whose memory may
	// be shared, because the two never run concurrently, or nil.
	record(pool recording, launch func() error) (recording, error)
}

// recording is the captured work of a recorder.
type recording interface {
	Replay() error
	Nodes() int
	Drop()
}

// NewStepper returns a stepper of a model that is trained with adam. The model must
// be on a GPU. The stepper uses the calling OS thread's stream of that device until
// Close.
func (m *Model) NewStepper(adam *ops.Adam) (*Stepper, error) {
	s := &Stepper{model: m, adam: adam, steps: map[shape]*shapedStep{}, limit: mostShapes}
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
	if err := p.upload(b, dropout); err != nil {
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

// Collect waits for the steps submitted since the last call and returns their outcomes, in
// order. The first step with a loss or gradient that is not finite is the last one: neither
// it nor later steps have changed the model.
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

// Launches returns the number of kernels and copies in the graph of the latest shape,
// or 0 without a graph.
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

// Close releases the steps. No step may be under way.
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
	if len(s.steps) == s.limit {
		if err := s.forgetOldest(); err != nil {
			return nil, err
		}
	}
	// Not during a capture of another thread: the allocator cannot release memory then,
	// and a full device would have none.
	err := ops.Concurrently(s.model.set.Device, func() (err error) {
		s.steps[shape], err = newShapedStep(shape, b, s.adam, s.model)
		return err
	})
	if err != nil {
		delete(s.steps, shape)
		return nil, err
	}
	return s.steps[shape], nil
}

// forgetOldest drops the least recently used step, which may be under way.
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

// record captures a step, unless that has failed too often. A failure is logged and
// costs only time, unless the device is lost.
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

// record runs one capture at a time, because all threads share libtorch's allocator. After
// the capture the allocator releases unused memory, which it cannot do during a capture. The
// first step of a shape has taken as much as its graph, 0.6 GB on Tox21 for each replica.
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
