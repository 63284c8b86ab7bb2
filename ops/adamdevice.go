package ops

// #include "adam/adam.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// logged is the largest number of steps under way on a device. Their losses and
// norms are kept there in a ring buffer.
const logged = 64

// deviceAdam is the state of Adam on a device.
type deviceAdam struct {
	numbers, log *ts.Tensor // [PACIA_ADAM_NUMBERS], [logged, 2] float64
	calls        int        // steps launched
	own          *AdamStep  // for Step
}

// AdamStep launches steps of an Adam on a device, without waiting for them. A step
// launched during the capture of a CUDA graph belongs to that graph.
type AdamStep struct {
	adam  *Adam
	table *C.pacia_adam_table
}

// NewStep makes a launcher of steps.
func (a *Adam) NewStep() (*AdamStep, error) {
	if err := a.toDevice(); err != nil {
		return nil, fmt.Errorf("adam: %w", err)
	}
	s := &AdamStep{adam: a}
	p, m, v := pointers(a.params), pointers(a.m), pointers(a.v)
	if err := failure(C.pacia_adam_table_new(unsafe.SliceData(p), unsafe.SliceData(m), unsafe.SliceData(v), C.int64_t(len(p)), &s.table)); err != nil {
		return nil, fmt.Errorf("adam: %w", err)
	}
	return s, nil
}

// Launch starts a step with the parameters' gradients. loss, one number or nil, is
// logged with their norm. With clearing the gradients become 0. During a capture,
// Place must be called before the graph runs.
func (s *AdamStep) Launch(loss *ts.Tensor, clearing, capturing bool) error {
	var l C.pacia_tensor
	if loss != nil {
		l = C.pacia_tensor(loss.Ctensor())
	}
	d, o := s.adam.device, s.adam.options.c()
	if err := failure(C.pacia_adam_table_launch(s.table, l, C.pacia_tensor(d.numbers.Ctensor()),
		C.pacia_tensor(d.log.Ctensor()), &o, C.bool(clearing), C.bool(capturing))); err != nil {
		return fmt.Errorf("adam: %w", err)
	}
	if !capturing {
		d.calls++
	}
	return nil
}

// Place copies the addresses of the captured step's gradients to the device.
func (s *AdamStep) Place() error {
	return failing("adam", C.pacia_adam_table_place(s.table))
}

// Replayed records that a graph with a step was launched.
func (s *AdamStep) Replayed() { s.adam.device.calls++ }

// Drop releases the launcher's memory on the device.
func (s *AdamStep) Drop() {
	if s.table != nil {
		C.pacia_adam_table_free(s.table)
		s.table = nil
	}
}

// StepOutcome is the result of a step.
type StepOutcome struct{ Loss, Norm float64 }

// Finite reports whether the step was made. A step with a loss or norm that is
// not finite changes nothing, and neither do the steps after it.
func (o StepOutcome) Finite() bool {
	sum := o.Loss + o.Norm
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Outcomes waits for the last n steps launched and returns their results, in
// order.
func (a *Adam) Outcomes(n int) ([]StepOutcome, error) {
	d := a.device
	if d == nil || n > d.calls || n > logged {
		return nil, fmt.Errorf("adam: no outcomes of %d steps", n)
	}
	log, err := ReadAs[float64](d.log)
	if err != nil {
		return nil, err
	}
	numbers, err := ReadAs[float64](d.numbers)
	if err != nil {
		return nil, err
	}
	a.steps = int64(numbers[C.PACIA_ADAM_STEPS])
	out := make([]StepOutcome, n)
	for i := range out {
		at := (d.calls - n + i) % logged
		out[i] = StepOutcome{log[2*at], log[2*at+1]}
	}
	return out, nil
}

func (a *Adam) deviceStep() (norm float64, err error) {
	if err := a.toDevice(); err != nil {
		return 0, fmt.Errorf("adam: %w", err)
	}
	if a.device.own == nil {
		if a.device.own, err = a.NewStep(); err != nil {
			return 0, err
		}
	}
	if err := a.device.own.Launch(nil, true, false); err != nil {
		return 0, err
	}
	out, err := a.Outcomes(1)
	if err != nil {
		return 0, err
	}
	if !out[0].Finite() {
		return out[0].Norm, fmt.Errorf("norm of the gradients is %v: %w", out[0].Norm, ErrNotFinite)
	}
	return out[0].Norm, nil
}

// toDevice allocates Adam's state on the device of its parameters.
func (a *Adam) toDevice() error {
	if a.device != nil {
		return nil
	}
	if len(a.params) == 0 {
		return errors.New("no parameters")
	}
	where, err := deviceOf(a.params[0])
	if err != nil {
		return err
	}
	numbers := make([]float64, C.PACIA_ADAM_NUMBERS)
	numbers[C.PACIA_ADAM_STEPS] = float64(a.steps)
	d := new(deviceAdam)
	if d.numbers, err = Vector(numbers, where); err == nil {
		d.log, err = New(make([]float64, 2*logged), []int64{logged, 2}, where)
	}
	if err != nil {
		d.drop()
		return err
	}
	a.device = d
	return nil
}

func (d *deviceAdam) drop() {
	Drop(d.numbers, d.log)
	if d.own != nil {
		d.own.Drop()
	}
}

// deviceOf returns where a tensor is.
func deviceOf(t *ts.Tensor) (Device, error) {
	d, err := t.Device()
	if err != nil {
		return 0, err
	}
	if d.Name == "CPU" {
		return CPU, nil
	}
	return Device(d.Value), nil
}
