package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"pacia/data/molecule"
)

// A graph store file is a header and the arrays of a Dataset, one after the
// other. They have the byte order of the machine, so that they can be used in place
// when the file is mapped. Arrays of wider numbers come first, so that each is
// aligned without gaps.
//
//	header     fileHeader
//	embeddings float32 [n, W], with n·W even, in version 6 only; its length is what the other arrays leave
//	taskPtr    int64  [T+1]    measured labels of task t: taskPtr[t]..taskPtr[t+1]
//	molPtr     int32  [n+1]    see Store
//	edgePtr    int32  [n+1]
//	rowPtr     int32  [A+n]
//	rows       int32  [L]      Task.Rows, one task after the other
//	countPtr   int32  [n+1], or empty if molecules have no fingerprints
//	values     float32 [n, D], or empty if molecules have no descriptors
//	places     float32 [A, 3], or empty if atoms have no coordinates
//	col        uint16 [E]
//	bit        uint16 [C]      see Fingerprints
//	count      uint16 [C]
//	atoms      uint8  [A, 2], or [A, w] if atoms have features; see Store
//	bonds      uint8  [E, 2]
//	labels     uint8  [L]      Task.Labels
//	notes      uint8  [notes]  JSON: names of tasks, molecules left out
//
// A file is never changed: a new one is written in the same folder and then renamed.
const (
	storeVersion    = 5
	embeddedVersion = 6 // of a store whose molecules have vectors
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
	Values    int64  // n·D; 0: molecules have no descriptors
	Places    int64  // 3·A; 0: atoms have no coordinates
	Features  uint32 // k, see Store
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

// parseHeader reads the header of a file of size bytes and checks everything
// that can be checked without the rest.
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
	case h.Version != storeVersion && h.Version != embeddedVersion:
		return h, fmt.Errorf("version %d, this program writes %d and %d", h.Version, storeVersion, embeddedVersion)
	case h.Check != crc32.Checksum(b[:headerSize-4], castagnoli):
		return h, errors.New("the checksum of the header does not fit")
	case h.Key != key:
		return h, errors.New("made from other data")
	case h.Version == storeVersion && h.size() != int64(len(b)):
		return h, fmt.Errorf("%d bytes, should be %d", len(b), h.size())
	case h.Version == embeddedVersion && (h.embeddings(b) <= 0 || (int64(len(b))-h.size())%8 != 0 || h.embeddings(b)%max(1, h.Molecules) != 0):
		return h, fmt.Errorf("%d bytes, should be %d and vectors of %d molecules", len(b), h.size(), h.Molecules)
	case h.Sum != crc32.Checksum(b[headerSize:], castagnoli):
		return h, errors.New("the checksum does not fit")
	}
	return h, nil
}

// embeddings returns n·W, the numbers of all vectors in a file.
func (h fileHeader) embeddings(b []byte) int64 { return (int64(len(b)) - h.size()) / 4 }

// size returns the length of the file in bytes, without vectors. The counts are valid because the
// header's checksum was checked before.
func (h fileHeader) size() int64 {
	return int64(headerSize) + 8*(h.Tasks+1) + 4*(2*(h.Molecules+1)+h.Atoms+h.Molecules+h.Labels+h.fingerprints()+h.Values+h.Places) +
		4*max(h.Counts, 0) + 2*h.Edges + h.atomBytes() + 2*h.Edges + h.Labels + h.Notes
}

// fingerprints returns the length of countPtr.
func (h fileHeader) fingerprints() int64 {
	if h.Counts < 0 {
		return 0
	}
	return h.Molecules + 1
}

func (h fileHeader) atomBytes() int64 { return int64(molecule.AtomWidth(int(h.Features))) * h.Atoms }

// number is an element type of the file's arrays.
type number interface {
	~uint8 | ~uint16 | ~int32 | ~int64 | ~float32
}

// raw returns the memory of an array as bytes.
func raw[T number](s []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)))
}

// take returns the first n numbers of *b, without a copy, and moves *b past
// them. Their capacity is n, so that an append cannot write into the map.
func take[T number](b *[]byte, n int64) []T {
	var t T
	size := int(n) * int(unsafe.Sizeof(t))
	s := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*b))), n)
	*b = (*b)[size:]
	return s
}
