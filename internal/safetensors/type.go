package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sugarme/gotch/half"
)

// Type is the type of a tensor's elements in a file.
type Type int

// Supported types.
const (
	F32 Type = iota // IEEE 754 binary32
	F16             // IEEE 754 binary16: 11 significant bits, magnitudes from 2⁻²⁴ to 65,504
	U8              // bytes, of an [Array]
	U64             // unsigned integers of 64 bits, of an [Array]
)

// String returns the name of the type in the format.
func (t Type) String() string { return [...]string{F32: "F32", F16: "F16", U8: "U8", U64: "U64"}[t] }

func typeNamed(name string) (t Type, known bool) {
	for _, t := range []Type{F32, F16, U8, U64} {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

// size returns the size of an element in bytes.
func (t Type) size() int64 { return [...]int64{F32: 4, F16: 2, U8: 1, U64: 8}[t] }

// encode returns the bytes of values, little endian. A finite value that is out of the
// type's range is an error: it would become infinite.
func (t Type) encode(values []float32) ([]byte, error) {
	data := make([]byte, 0, t.size()*int64(len(values)))
	for i, v := range values {
		if t == F32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			continue
		}
		h := half.Fromfloat32(v)
		if h.IsInf(0) && !math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("element %d, %g, is out of float16's range of ±65,504; write it as float32", i, v)
		}
		data = binary.LittleEndian.AppendUint16(data, h.Bits())
	}
	return data, nil
}

func (t Type) decode(data []byte) []float32 {
	values := make([]float32, int64(len(data))/t.size())
	for i := range values {
		if t == F32 {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		} else {
			values[i] = half.Frombits(binary.LittleEndian.Uint16(data[2*i:])).Float32()
		}
	}
	return values
}
