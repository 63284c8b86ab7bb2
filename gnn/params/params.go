package params

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
	"pacia/ops"
)

// Parameter is one named tensor of a model.
type Parameter struct {
	Name   string
	Part   string // the part that it is counted in
	Shape  []int64
	Tensor *ts.Tensor

	Published bool // starts with published values, not with random ones
	Running   bool // a running average of batches, as of batch norm
}

// Size is the number of values.
func (p Parameter) Size() int {
	n := 1
	for _, s := range p.Shape {
		n *= int(s)
	}
	return n
}

// Set collects the parameters of one model on one device.
type Set struct {
	Device  ops.Device
	Float64 bool // for tests; training is in float32
	Seed    uint64

	// Fits is called for each parameter before its memory is allocated. An error
	// becomes the error of the set. nil: no check.
	Fits func(name string, shape []int64) error

	trained []Parameter
	buffers []Parameter
	owned   []func()
	part    string
	prefix  string // of names
	frozen  bool   // new parameters are stored but not trained
	err     error
}

// Within adds prefix to the names of all parameters that layout makes, such as those of one
// of several similar members.
func (s *Set) Within(prefix string, layout func() error) error {
	before := s.prefix
	s.prefix += prefix
	defer func() { s.prefix = before }()
	return layout()
}

// Frozen makes the parameters that layout makes stored, but not trained.
func (s *Set) Frozen(layout func() error) error {
	before := s.frozen
	s.frozen = true
	defer func() { s.frozen = before }()
	return layout()
}

// Part sets the part in which parameters made from now on are counted.
func (s *Set) Part(name string) { s.part = name }

// Trained returns the parameters in the order in which they were made.
func (s *Set) Trained() []Parameter { return s.trained }

// Buffers returns the tensors that are stored but not trained.
func (s *Set) Buffers() []Parameter { return s.buffers }

// Err returns the first error of any call that made a parameter.
func (s *Set) Err() error { return s.err }

// Own makes Drop also call drop.
func (s *Set) Own(drop func()) { s.owned = append(s.owned, drop) }

// Drop releases all tensors.
func (s *Set) Drop() {
	for _, drop := range s.owned {
		drop()
	}
	for _, p := range append(s.trained, s.buffers...) {
		ops.Drop(p.Tensor)
	}
	s.trained, s.buffers, s.owned = nil, nil, nil
}

// Uniform makes a trained parameter with values from −bound to bound.
func (s *Set) Uniform(name string, bound float64, shape ...int64) *ts.Tensor {
	r := s.random(name)
	return s.make(name, true, shape, func() float64 { return (2*r.Float64() - 1) * bound })
}

// Normal makes a trained parameter with normal values of that standard deviation.
func (s *Set) Normal(name string, deviation float64, shape ...int64) *ts.Tensor {
	r := s.random(name)
	return s.make(name, true, shape, func() float64 { return r.NormFloat64() * deviation })
}

// Constant makes a trained parameter with one value everywhere.
func (s *Set) Constant(name string, value float64, shape ...int64) *ts.Tensor {
	return s.make(name, true, shape, func() float64 { return value })
}

// Filled makes a trained parameter whose i-th value, row-major, is value(i).
func (s *Set) Filled(name string, value func(i int) float64, shape ...int64) *ts.Tensor {
	i := -1
	return s.make(name, true, shape, func() float64 { i++; return value(i) })
}

// Published makes a trained parameter with published initial values, row-major.
func (s *Set) Published(name string, values []float32, shape ...int64) *ts.Tensor {
	t := s.Filled(name, func(i int) float64 { return float64(values[i]) }, shape...)
	if s.err == nil && !s.frozen {
		s.trained[len(s.trained)-1].Published = true
	}
	return t
}

// Buffer makes a tensor that is stored but not trained.
func (s *Set) Buffer(name string, value float64, shape ...int64) *ts.Tensor {
	return s.make(name, false, shape, func() float64 { return value })
}

// Running makes a tensor that holds a running average of batches.
func (s *Set) Running(name string, value float64, shape ...int64) *ts.Tensor {
	t := s.Buffer(name, value, shape...)
	if s.err == nil {
		s.buffers[len(s.buffers)-1].Running = true
	}
	return t
}

// Linear makes W [out, in] and b [out] (nil without bias) as PyTorch
// initialises them: uniform within 1/√in.
func (s *Set) Linear(name string, in, out int, bias bool, follow ops.Follow) ops.Linear {
	bound := 1 / math.Sqrt(float64(in))
	l := ops.Linear{W: s.Uniform(name+".weight", bound, int64(out), int64(in)), Follow: follow}
	if bias {
		l.B = s.Uniform(name+".bias", bound, int64(out))
	}
	return l
}

// Zeros makes W [out, in] and b [out] of zeros: a layer that is silent until it has learnt.
func (s *Set) Zeros(name string, in, out int) ops.Linear {
	return ops.Linear{W: s.Constant(name+".weight", 0, int64(out), int64(in)), B: s.Constant(name+".bias", 0, int64(out))}
}

// Embedding makes a table [n, d], initialised as Glorot and Bengio (2010).
func (s *Set) Embedding(name string, n, d int) *ts.Tensor {
	return s.Uniform(name, Glorot(n, d), int64(n), int64(d))
}

func (s *Set) random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(s.prefix + name))
	return rand.New(rand.NewPCG(s.Seed, h.Sum64()))
}

func (s *Set) make(name string, trained bool, shape []int64, value func() float64) *ts.Tensor {
	if s.err != nil {
		return nil
	}
	trained = trained && !s.frozen
	p := Parameter{Name: s.prefix + name, Part: s.part, Shape: shape}
	if s.Fits != nil {
		if s.err = s.Fits(p.Name, shape); s.err != nil {
			return nil
		}
	}
	values := make([]float64, p.Size())
	for i := range values {
		values[i] = value()
	}
	if p.Tensor, s.err = s.tensor(values, shape, trained); s.err != nil {
		s.err = fmt.Errorf("parameter %s: %w", name, s.err)
		return nil
	}
	if trained {
		s.trained = append(s.trained, p)
	} else {
		s.buffers = append(s.buffers, p)
	}
	return p.Tensor
}

func (s *Set) tensor(values []float64, shape []int64, trained bool) (*ts.Tensor, error) {
	if s.Float64 {
		return place(values, shape, s.Device, trained)
	}
	single := each.As[float32](values)
	return place(single, shape, s.Device, trained)
}

func place[T float32 | float64](values []T, shape []int64, d ops.Device, trained bool) (*ts.Tensor, error) {
	if trained {
		return ops.NewParameter(values, shape, d)
	}
	return ops.New(values, shape, d)
}

// Fixed makes a tensor that is neither trained nor stored in files, and is dropped with the set.
func (s *Set) Fixed(values []float64, shape ...int64) (*ts.Tensor, error) {
	t, err := s.tensor(values, shape, false)
	if err == nil {
		s.Own(func() { ops.Drop(t) })
	}
	return t, err
}

// Size returns the number of trained values.
func (s *Set) Size() int {
	n := 0
	for _, p := range s.trained {
		n += p.Size()
	}
	return n
}

// Tensors lists the tensors of the parameters, in their order.
func Tensors(list []Parameter) []*ts.Tensor {
	return each.Of(list, func(p Parameter) *ts.Tensor { return p.Tensor })
}
