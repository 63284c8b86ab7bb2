package safetensors

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sugarme/gotch/half"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// numbers decodes elements of the types that other programs write; nil: elements of that size are not read.
var numbers = map[string]struct {
	size   int64
	decode func([]byte) float32
}{
	"F64":  {8, func(b []byte) float32 { return float32(math.Float64frombits(binary.LittleEndian.Uint64(b))) }},
	"F32":  {4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }},
	"F16":  {2, func(b []byte) float32 { return half.Frombits(binary.LittleEndian.Uint16(b)).Float32() }},
	"BF16": {2, func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) }},
	"I64":  {8, nil}, "U64": {8, nil}, "C64": {8, nil}, "I32": {4, nil}, "U32": {4, nil}, "I16": {2, nil}, "U16": {2, nil},
	"I8": {1, nil}, "U8": {1, nil}, "BOOL": {1, nil}, "F8_E4M3": {1, nil}, "F8_E5M2": {1, nil},
}

// OpenForeign opens a file of another program, such as the package safetensors of Python, which has no checksum.
// Reading a tensor of whole numbers is an error. Errors are those of [Open].
func OpenForeign(path string) (*File, error) {
	file, err := OpenChanged(path)
	if err == nil && file.checksum != "" {
		return nil, errors.Join(fmt.Errorf("%w: it is not of another program", ErrDamaged), file.Close())
	}
	return file, err
}

// OpenChanged opens a file that Write has written and another program has changed. A checksum, which then is wrong, is
// not compared. Otherwise it is like [OpenForeign].
func OpenChanged(path string) (*File, error) {
	f, err := input.Open(context.Background(), path, input.Regular, MaxSize)
	if err != nil {
		return nil, err
	}
	file := &File{from: f}
	if err := file.parseForeign(f, f.Size); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file, nil
}

func (f *File) parseForeign(from io.ReaderAt, size int64) error {
	raw, err := readHeader(from, size)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw[8:], &fields); err != nil {
		return fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	if own := fields[metadataKey]; own != nil && json.Unmarshal(own, &f.Metadata) != nil {
		return fmt.Errorf("%w: its metadata cannot be read", ErrDamaged)
	}
	f.checksum = f.Metadata[checksumKey]
	delete(f.Metadata, checksumKey)
	delete(fields, metadataKey)
	ends := map[int64]int64{}
	for name, text := range fields {
		var e entry
		err := json.Unmarshal(text, &e)
		kind, known := numbers[e.DType]
		if err != nil || !known {
			return fmt.Errorf("%w: tensor %s is of type %s", ErrDamaged, badinput.List([]string{name}), badinput.Quote(e.DType))
		}
		start, end, n := e.Offsets[0], e.Offsets[1], kind.size
		if slices.Min(append(e.Shape, start)) < 0 || end > size-int64(len(raw)) || overflows(e.Shape) {
			return fmt.Errorf("%w: tensor %s does not fit into it", ErrDamaged, name)
		}
		for _, d := range e.Shape {
			n *= d
		}
		if end-start != n {
			return fmt.Errorf("%w: tensor %s does not fit into it", ErrDamaged, name)
		}
		if n > 0 {
			ends[start] = end
		}
		elements, _ := typeNamed(e.DType) // F32 for types that Write does not have
		f.Tensors = append(f.Tensors, Tensor{Name: name, Shape: e.Shape, Type: elements, start: start, Read: func() ([]float32, error) {
			if kind.decode == nil {
				return nil, &badinput.Error{What: "its elements are of type " + e.DType, Fix: "write them as F32, F16, BF16 or F64"}
			}
			data := make([]byte, n)
			if _, err := from.ReadAt(data, int64(len(raw))+start); err != nil && n > 0 {
				return nil, err
			}
			values := make([]float32, 0, n/kind.size)
			for part := range slices.Chunk(data, int(kind.size)) {
				values = append(values, kind.decode(part))
			}
			return values, nil
		}})
	}
	var covered int64
	for range ends {
		covered = cmp.Or(ends[covered], covered)
	}
	if covered != size-int64(len(raw)) {
		return fmt.Errorf("%w: its tensors do not cover its data", ErrDamaged)
	}
	slices.SortFunc(f.Tensors, func(a, b Tensor) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}
