package safetensors

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
)

// ErrDamaged is the error of a file that Write did not write, or that was cut short or
// changed.
var ErrDamaged = errors.New("the file is damaged or not a checkpoint")

const (
	// MaxSize is the largest size of a file in bytes: a hundred times the size of a
	// model that a GPU trains in a day. Files may come from untrusted sources.
	MaxSize = 1 << 31
	// maxHeader is the largest length of a header in bytes. A header with the names of
	// 5,000 tasks has less than 1 MB.
	maxHeader = 16 << 20
)

// File is an open file with a verified checksum.
type File struct {
	Metadata map[string]string // the argument of Write
	Tensors  []Tensor          // in the order of the data; their Read reads from the file
	arrays   []Tensor          // likewise
	mapped   [][]byte          // of arrays that were read
	from     io.ReaderAt
	start    int64  // of the data
	checksum string // of a file of another program, as stated; not compared
}

// Open opens path and verifies its checksum. The error wraps ErrDamaged, or is a
// *badinput.Error.
func Open(path string) (*File, error) {
	f, err := input.Open(context.Background(), path, input.Regular, MaxSize)
	if err != nil {
		return nil, err
	}
	file, err := Read(f, f.Size)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file, nil
}

// Read is Open for a file of size bytes that need not be on a disk.
func Read(from io.ReaderAt, size int64) (*File, error) {
	raw, err := readHeader(from, size)
	if err != nil {
		return nil, err
	}
	file := &File{from: from, start: int64(len(raw))}
	data := size - file.start
	if err := file.parse(raw, data); err != nil {
		return nil, err
	}
	if err := verify(raw, io.NewSectionReader(from, file.start, data), file.Metadata[checksumKey]); err != nil {
		return nil, err
	}
	delete(file.Metadata, checksumKey)
	return file, nil
}

// Close closes the underlying reader, if it is an io.Closer. The tensors can no longer
// be read, and arrays that were read must not be used any more.
func (f *File) Close() (err error) {
	for _, m := range f.mapped {
		err = errors.Join(err, unix.Munmap(m))
	}
	f.mapped = nil
	if c, ok := f.from.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// readHeader returns the first bytes of the file, up to the data.
func readHeader(f io.ReaderAt, size int64) ([]byte, error) {
	var length [8]byte
	if size < int64(len(length)) {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrDamaged, size)
	}
	if _, err := f.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > uint64(size-8) {
		return nil, fmt.Errorf("%w: its header is cut off", ErrDamaged)
	}
	if n > maxHeader {
		return nil, fmt.Errorf("%w: its header has %d bytes, more than %d", ErrDamaged, n, maxHeader)
	}
	raw := make([]byte, 8+n)
	_, err := f.ReadAt(raw, 0)
	return raw, err
}

// parse sets the metadata and tensors, which must cover the size bytes of the data
// without gaps or overlaps.
func (f *File) parse(raw []byte, size int64) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw[8:], &fields); err != nil {
		return fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	if err := json.Unmarshal(fields[metadataKey], &f.Metadata); err != nil {
		return fmt.Errorf("%w: its header has no metadata", ErrDamaged)
	}
	delete(fields, metadataKey)
	for name, text := range fields {
		var e entry
		err := json.Unmarshal(text, &e)
		kind, known := typeNamed(e.DType)
		if err != nil || !known {
			return fmt.Errorf("%w: tensor %s is of type %s, not of F32, F16, U8 or U64", ErrDamaged, badinput.List([]string{name}), badinput.Quote(e.DType))
		}
		start, end := e.Offsets[0], e.Offsets[1]
		t := Tensor{Name: name, Shape: e.Shape, Type: kind, start: start}
		if slices.Min(append(e.Shape, start)) < 0 || end > size || overflows(e.Shape) || end-start != t.size() {
			return fmt.Errorf("%w: tensor %s does not fit into it", ErrDamaged, name)
		}
		t.Read = func() ([]float32, error) { return f.tensor(kind, f.start+start, end-start) }
		f.Tensors = append(f.Tensors, t)
	}
	return f.arrange(size)
}

// overflows reports whether a shape has more elements than a file can hold: their number
// could overflow to 0.
func overflows(shape []int64) bool {
	n := int64(1)
	for _, d := range shape {
		if d > MaxSize {
			return true
		}
		if n *= d; n > MaxSize {
			return true
		}
	}
	return false
}

// arrange sorts the tensors by their offsets and checks that each starts where the
// previous one ends.
func (f *File) arrange(size int64) error {
	slices.SortFunc(f.Tensors, func(a, b Tensor) int {
		// An empty tensor shares its start with the next one.
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.size(), b.size()))
	})
	var covered int64
	for _, t := range f.Tensors {
		if t.start != covered {
			return fmt.Errorf("%w: tensor %s is out of place", ErrDamaged, t.Name)
		}
		covered += t.size()
	}
	if covered != size {
		return fmt.Errorf("%w: it should have %d bytes of data and has %d", ErrDamaged, covered, size)
	}
	isArray := func(t Tensor) bool { return t.Type.ofArrays() }
	f.arrays = each.If(f.Tensors, isArray)
	f.Tensors = slices.DeleteFunc(f.Tensors, isArray)
	return nil
}

// tensor reads size bytes of elements of type kind from the offset at.
func (f *File) tensor(kind Type, at, size int64) ([]float32, error) {
	if size == 0 {
		return []float32{}, nil // some readers return an error at their end, even for 0 bytes
	}
	data := make([]byte, size)
	if _, err := f.from.ReadAt(data, at); err != nil {
		return nil, err
	}
	return kind.decode(data), nil
}

// verify compares the file's checksum with the one in its header.
func verify(raw []byte, data io.Reader, stated string) error {
	at := bytes.Index(raw, []byte(stated))
	if len(stated) != len(noChecksum) || strings.Trim(stated, "0123456789abcdef") != "" || at < 0 {
		return fmt.Errorf("%w: it has no checksum", ErrDamaged)
	}
	zeroed := slices.Concat(raw[:at], []byte(noChecksum), raw[at+len(stated):])
	sum := sha256.New()
	sum.Write(zeroed)
	if _, err := io.Copy(sum, data); err != nil {
		return err
	}
	if fmt.Sprintf("%x", sum.Sum(nil)) != stated {
		return fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return nil
}
