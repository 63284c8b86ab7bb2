package ops

import (
	"fmt"
	"runtime"

	"github.com/sugarme/gotch/ts"
)

// Scope collects the tensors of one pass and drops them together. The pass runs
// inside [Scope.Run]. An error passed to Keep or Check ends the pass, so that the
// code reads like the equations. The zero value is ready for use.
type Scope struct {
	tensors []*ts.Tensor
	owned   []func()
	place   string
	number  int
}

// failure carries an error from Keep to Run.
type scopeFailure struct{ error }

// Run calls f and returns the error that ended it, with the place named by At. Tensors kept
// so far stay in the scope. f stays on its OS thread, because libtorch numbers the nodes of
// a backward pass by thread, and sums in the order of these numbers.
func (s *Scope) Run(f func()) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case scopeFailure:
			if err = r.error; s.place != "" {
				err = fmt.Errorf("%s %d: %w", s.place, s.number, err)
			}
		default:
			panic(r)
		}
		s.place = ""
	}()
	f()
	return nil
}

// InScope runs a pass in a new scope and drops it.
func InScope(pass func(s *Scope)) error {
	var s Scope
	defer s.Drop()
	return s.Run(func() { pass(&s) })
}

// An Attempt is the result of a function and its error.
type Attempt[T any] struct {
	value T
	err   error
}

// Try is for functions whose results are not tensors: Try(f()).In(s) is the result of f.
func Try[T any](value T, err error) Attempt[T] { return Attempt[T]{value, err} }

// In returns the value. It ends the pass if there is an error.
func (a Attempt[T]) In(s *Scope) T {
	s.Check(a.err)
	return a.value
}

// At names the current place of the pass for errors, such as a layer with its number.
// An empty name removes it.
func (s *Scope) At(place string, number int) { s.place, s.number = place, number }

// Check ends the pass if there is an error.
func (s *Scope) Check(err error) {
	if err != nil {
		panic(scopeFailure{err})
	}
}

// Keep adds a tensor to the scope and returns it. A nil tensor is not added.
func (s *Scope) Keep(t *ts.Tensor, err error) *ts.Tensor {
	s.Check(err)
	if t != nil {
		s.tensors = append(s.tensors, t)
	}
	return t
}

// Call is like Keep, for a tensor that make, a call of package ts, makes. Only one such call runs at a time in the
// process, as it holds a lock (see names.go): make must not call functions of this package that make tensors,
// which would wait for this lock forever.
func (s *Scope) Call(name string, make func() (*ts.Tensor, error)) *ts.Tensor {
	return s.Keep(call(name, make))
}

// None returns an undefined tensor, which libtorch takes for an argument that is left out, such as weights of a loss.
func (s *Scope) None() *ts.Tensor {
	return s.Call("no tensor", func() (*ts.Tensor, error) { return ts.NewTensor(), nil })
}

// Times returns x·v.
func (s *Scope) Times(x *ts.Tensor, v float64) *ts.Tensor {
	number := ts.FloatScalar(v)
	defer number.MustDrop()
	return s.Call("product", func() (*ts.Tensor, error) { return x.MulScalar(number, false) })
}

// View returns x in another shape. One of the sizes may be -1, for the rest.
func (s *Scope) View(x *ts.Tensor, shape ...int64) *ts.Tensor {
	return s.Call("view", func() (*ts.Tensor, error) { return x.View(shape, false) })
}

// Keep2 is Keep for an operation that has two outputs.
func (s *Scope) Keep2(a, b *ts.Tensor, err error) (*ts.Tensor, *ts.Tensor) {
	s.Check(err)
	return s.Keep(a, nil), s.Keep(b, nil)
}

// KeepAll is Keep for an operation that has any number of outputs.
func (s *Scope) KeepAll(list []*ts.Tensor, err error) []*ts.Tensor {
	s.Check(err)
	for _, t := range list {
		s.Keep(t, nil)
	}
	return list
}

// KeepLoss is Keep for all parts of a loss.
func (s *Scope) KeepLoss(parts *LossParts, err error) *LossParts {
	s.Check(err)
	s.KeepAll([]*ts.Tensor{parts.Loss, parts.CrossEntropy, parts.P}, nil)
	return parts
}

// Own makes Drop also call drop.
func (s *Scope) Own(drop func()) { s.owned = append(s.owned, drop) }

// Drop releases the tensors of the scope, which may be used again.
func (s *Scope) Drop() {
	Drop(s.tensors...)
	for _, drop := range s.owned {
		drop()
	}
	s.tensors, s.owned = nil, nil
}
