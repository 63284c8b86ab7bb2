package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"unsafe"

	"pacia/data/molecule"
)

// A graph store file is a header and the arrays of a Dataset, one after the
// other. They have the byte order of the machine, so that they can be used in place
// when the file is mapped. Arrays of wider numbers come first, so that each is
// aligned without gaps. contents.arrays lists them. The last one is JSON: names of tasks, molecules
// left out, and the fields of the molecules' named arrays.
//
// Version 8 also has measured values. A file without them is of version 7.
//
// Versions 5 and 6 have fields that follow from the header, and 6 begins with vectors of molecules.
//
// A file is never changed: a new one is written in the same folder and then renamed.
const (
	storeVersion    = 8
	namedVersion    = 7
	embeddedVersion = 6
	oldestVersion   = 5 // also in the key of every version, so that stores of earlier programs are found
)

// storeMagic reads as another number on a machine with another byte order.
const storeMagic uint64 = 0x3168706172676170

// fileHeader has a fixed size and no padding.
type fileHeader struct {
	Magic     uint64
	Version   uint32
	Sum       uint32 // CRC-32C of everything after the header
	Key       storeID
	Molecules int64 // n
	Atoms     int64 // A
	Edges     int64 // E
	Tasks     int64 // T
	Labels    int64 // L
	Notes     int64
	Counts    int64  // C; −1: molecules have no fingerprints
	Values    int64  // before version 7: n·D, 0 if molecules have no descriptors; from version 8 on: L. This and the next two are 0 in version 7
	Places    int64  // 3·A; 0: atoms have no coordinates
	Features  uint32 // of an atom; 0: atoms have categories
	Check     uint32 // CRC-32C of all fields before it
}

const headerSize = int(unsafe.Sizeof(fileHeader{}))

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// bytes returns the header as in the file, with Check filled in.
func (h fileHeader) bytes() []byte {
	h.Check = 0
	b := make([]byte, headerSize)
	if _, err := binary.Encode(b, binary.NativeEndian, &h); err != nil {
		panic(err) // the size of the struct and of b are one constant
	}
	binary.NativeEndian.PutUint32(b[headerSize-4:], crc32.Checksum(b[:headerSize-4], castagnoli))
	return b
}

// parseHeader reads the header of a file and checks everything that can be checked without the
// fields of its arrays.
func parseHeader(b []byte, key storeID) (h fileHeader, err error) {
	if len(b) < headerSize {
		return h, fmt.Errorf("%d bytes, fewer than its header", len(b))
	}
	if _, err := binary.Decode(b, binary.NativeEndian, &h); err != nil {
		return h, err
	}
	switch {
	case h.Magic != storeMagic:
		return h, errors.New("not a graph store of this machine")
	case h.Version < oldestVersion || h.Version > storeVersion:
		return h, fmt.Errorf("version %d, this program reads %d to %d", h.Version, oldestVersion, storeVersion)
	case h.Version > namedVersion && h.Values != h.Labels:
		return h, fmt.Errorf("%d values of %d labels", h.Values, h.Labels)
	case h.Check != crc32.Checksum(b[:headerSize-4], castagnoli):
		return h, errors.New("the checksum of the header does not fit")
	case h.Key != key:
		return h, errors.New("made from other data")
	case h.Notes < 0 || h.Notes > int64(len(b)-headerSize):
		return h, fmt.Errorf("%d bytes, and texts of %d", len(b), h.Notes)
	case h.Sum != crc32.Checksum(b[headerSize:], castagnoli):
		return h, errors.New("the checksum does not fit")
	}
	return h, nil
}

// fingerprints returns the length of countPtr.
func (h fileHeader) fingerprints() int64 {
	if h.Counts < 0 {
		return 0
	}
	return h.Molecules + 1
}

// rows returns how many rows an array has.
func (h fileHeader) rows(p molecule.Per) int64 {
	return [...]int64{molecule.PerAtom: h.Atoms, molecule.PerBond: h.Edges, molecule.PerMolecule: h.Molecules}[p]
}

// contents are the arrays of a Dataset.
type contents struct {
	values  []float64 // [L] Task.Values, NaN if it has none; empty before version 8
	taskPtr []int64   // [T+1] measured labels of task t: taskPtr[t]..taskPtr[t+1]
	rows    []int32   // [L] Task.Rows, one task after the other
	labels  []uint8   // [L] Task.Labels
	store   molecule.Arrays
	text    []uint8 // JSON of notes
}

// arrays lists the arrays of a file in their order, with the lengths that follow from its header.
func (c *contents) arrays(h fileHeader) []array {
	s, counts, pairs := &c.store, max(h.Counts, 0), 2*h.Atoms
	all := []array{arrayOf(&c.taskPtr, h.Tasks+1), arrayOf(&s.MolPtr, h.Molecules+1), arrayOf(&s.EdgePtr, h.Molecules+1),
		arrayOf(&s.RowPtr, h.Atoms+h.Molecules), arrayOf(&c.rows, h.Labels), arrayOf(&s.Fingerprints.Ptr, h.fingerprints())}
	if h.Version > namedVersion {
		all = slices.Insert(all, 0, arrayOf(&c.values, h.Values))
	}
	var bytes []array
	for i := range s.Named {
		a := &s.Named[i]
		if a.Name == molecule.Features.Name {
			pairs = 0
		}
		switch n := int64(a.Packed()) * h.rows(a.Per); {
		case a.Kind != molecule.Float:
			bytes = append(bytes, arrayOf(&a.Bytes, n))
		case h.Version == embeddedVersion && a.Name == molecule.Embeddings.Name:
			all = slices.Insert(all, 0, arrayOf(&a.Floats, n))
		default:
			all = append(all, arrayOf(&a.Floats, n))
		}
	}
	all = append(all, arrayOf(&s.Col, h.Edges), arrayOf(&s.Fingerprints.Bit, counts), arrayOf(&s.Fingerprints.Count, counts),
		arrayOf(&s.Atoms, pairs))
	return append(append(all, bytes...), arrayOf(&s.Bonds, 2*h.Edges), arrayOf(&c.labels, h.Labels), arrayOf(&c.text, h.Notes))
}

// fields sets the fields of the named arrays of a file with the given bytes after its header.
func (c *contents) fields(h fileHeader, n notes, bytes int64) error {
	fields := n.Fields
	if h.Version < namedVersion {
		fields = h.earlierFields()
	}
	for _, f := range fields {
		if err := f.Check(); err != nil {
			return err
		}
		c.store.Named = append(c.store.Named, molecule.Array{Field: f})
	}
	if h.Version == embeddedVersion {
		for _, a := range c.arrays(h) {
			bytes -= a.size
		}
		vectors := molecule.Embeddings.Wide(int(bytes / 4 / max(1, h.Molecules)))
		c.store.Named = append(c.store.Named, molecule.Array{Field: vectors})
		return vectors.Check()
	}
	return nil
}

// earlierFields returns the fields of a file before version 7, except vectors.
func (h fileHeader) earlierFields() (fields []molecule.Field) {
	if h.Values > 0 {
		fields = append(fields, molecule.Descriptors)
	}
	if h.Places > 0 {
		fields = append(fields, molecule.Places)
	}
	if h.Features > 0 {
		fields = append(fields, molecule.Features.Wide(int(h.Features)))
	}
	return fields
}

// array is an array of a file.
type array struct {
	size int64         // bytes
	raw  func() []byte // its memory
	cut  func(*[]byte) // makes it refer to the first bytes of a file, and moves these past it
}

func arrayOf[T number](at *[]T, n int64) array {
	var t T
	size := n * int64(unsafe.Sizeof(t))
	if n > 1<<40 {
		size = -1 // no file has so many numbers, and size may have overflowed
	}
	return array{size, func() []byte { return raw(*at) }, func(b *[]byte) { *at = cut[T](b, n) }}
}

// checkSizes returns an error if arrays do not add up to the bytes after the header.
func checkSizes(all []array, bytes int64) error {
	rest := bytes
	for _, a := range all {
		if a.size < 0 || a.size > rest {
			return fmt.Errorf("%d bytes, fewer than its arrays", bytes)
		}
		rest -= a.size
	}
	if rest != 0 {
		return fmt.Errorf("%d bytes more than its arrays", rest)
	}
	return nil
}

// number is an element type of the file's arrays.
type number interface {
	~uint8 | ~uint16 | ~int32 | ~int64 | ~float32 | ~float64
}

// raw returns the memory of an array as bytes.
func raw[T number](s []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)))
}

// cut returns the first n numbers of *b, without a copy, and moves *b past
// them. Their capacity is n, so that an append cannot write into the map.
func cut[T number](b *[]byte, n int64) []T {
	var t T
	size := int(n) * int(unsafe.Sizeof(t))
	s := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*b))), n)
	*b = (*b)[size:]
	return s
}
