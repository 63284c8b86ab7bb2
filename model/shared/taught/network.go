package taught

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
	"pacia/ops"
)

// hidden is d.
const hidden = 512

// layer is W [out, in] and b [out].
type layer struct {
	in, out      int
	weight, bias []float32
}

// Network is a multilayer perceptron with an output for each past assay.
type Network struct{ layers []layer }

// Assays returns A.
func (n *Network) Assays() int { return n.layers[len(n.layers)-1].out }

// Width returns W.
func (n *Network) Width() int { return n.layers[0].in }

// Predict returns the mean ranks [n, A], between 0 and 1, that molecules with these vectors [n, W] are expected to have in past assays.
func (n *Network) Predict(vectors []float32, s *ops.Scope) []float32 {
	var layers []ops.Linear
	for i, l := range n.layers {
		layers = append(layers, ops.Linear{
			W: s.Keep(ops.New(l.weight, []int64{int64(l.out), int64(l.in)}, ops.CPU)), B: s.Keep(ops.Vector(l.bias, ops.CPU)),
			Follow: follow(i, len(n.layers)),
		})
	}
	logits := ops.Try(ops.Read(logitsOf(vectors, n.Width(), layers, ops.Mode{}, s))).In(s)
	return each.Of(logits, func(l float32) float32 { return float32(1 / (1 + math.Exp(-float64(l)))) })
}

func logitsOf(vectors []float32, width int, layers []ops.Linear, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	x := s.Keep(ops.New(vectors, []int64{int64(len(vectors) / width), int64(width)}, ops.CPU))
	return s.Keep(ops.MLP(x, layers, mode))
}

// follow returns the steps after layer i.
func follow(i, layers int) ops.Follow {
	if i == layers-1 {
		return 0
	}
	return ops.Leaky | ops.Dropout
}

// Bytes returns the network in the form of a file: numbers of layers and widths, then weights, little-endian.
func (n *Network) Bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(n.layers)))
	b = binary.LittleEndian.AppendUint32(b, uint32(n.Width()))
	for _, l := range n.layers {
		b = binary.LittleEndian.AppendUint32(b, uint32(l.out))
	}
	for _, l := range n.layers {
		for _, values := range [][]float32{l.weight, l.bias} {
			for _, v := range values {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
		}
	}
	return b
}

// ErrDamaged is the error of bytes that are not those of a network.
var ErrDamaged = errors.New("what was taught of past assays is damaged")

// Parse returns the network in b, which has an output for each of A past assays.
func Parse(b []byte, assays int) (*Network, error) {
	number := func() int {
		if len(b) < 4 {
			return 0
		}
		v := binary.LittleEndian.Uint32(b)
		b = b[4:]
		return int(v)
	}
	const most, widest = 8, 1 << 20
	layers := number()
	if layers < 1 || layers > most {
		return nil, ErrDamaged
	}
	n, in, size := new(Network), number(), 0
	for range layers {
		out := number()
		if in < 1 || out < 1 || in > widest || out > widest {
			return nil, ErrDamaged
		}
		n.layers = append(n.layers, layer{in: in, out: out})
		size, in = size+4*(in*out+out), out
	}
	if len(b) != size || n.Assays() != assays {
		return nil, ErrDamaged
	}
	for i := range n.layers {
		l := &n.layers[i]
		for _, part := range []struct {
			into *[]float32
			n    int
		}{{&l.weight, l.in * l.out}, {&l.bias, l.out}} {
			*part.into = make([]float32, part.n)
			for k := range *part.into {
				(*part.into)[k] = math.Float32frombits(uint32(number()))
			}
		}
	}
	return n, nil
}
