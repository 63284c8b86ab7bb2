package safetensors

import (
	"encoding/binary"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Array is a named array of bytes or integers of a file, for what is too large to be copied into memory.
type Array struct {
	Name string
	Type Type // U8 or U64
	Data []byte
}

// ofArrays reports whether the type is of arrays, not of tensors.
func (t Type) ofArrays() bool { return t == U8 || t == U64 }

// tensor returns the array as a tensor to be written.
func (a Array) tensor() Tensor {
	return Tensor{Name: a.Name, Type: a.Type, Shape: []int64{int64(len(a.Data)) / a.Type.size()}, data: a.Data}
}

// Len returns the number of elements of an array, 0 if the file lacks it.
func (f *File) Len(array string) int64 {
	i := slices.IndexFunc(f.arrays, func(t Tensor) bool { return t.Name == array })
	if i < 0 {
		return 0
	}
	return f.arrays[i].Len()
}

// Bytes returns the content of an array, empty if the file lacks it. It is part of the file, mapped into memory, if this is on a disk:
// it must not be changed, nor be used after Close.
func (f *File) Bytes(array string) ([]byte, error) {
	i := slices.IndexFunc(f.arrays, func(t Tensor) bool { return t.Name == array })
	if i < 0 || f.arrays[i].size() == 0 {
		return nil, nil
	}
	at, size := f.start+f.arrays[i].start, f.arrays[i].size()
	of, onDisk := f.from.(interface{ Fd() uintptr })
	if !onDisk {
		data := make([]byte, size)
		_, err := f.from.ReadAt(data, at)
		return data, err
	}
	inPage := at % int64(os.Getpagesize())
	mapped, err := unix.Mmap(int(of.Fd()), at-inPage, int(inPage+size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	f.mapped = append(f.mapped, mapped)
	return mapped[inPage:], nil
}

// Integers returns the content of an array of type U64, like Bytes.
func (f *File) Integers(array string) ([]uint64, error) {
	data, err := f.Bytes(array)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	first := unsafe.Pointer(&data[0])
	if uintptr(first)%8 == 0 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return unsafe.Slice((*uint64)(first), len(data)/8), nil
	}
	all := make([]uint64, len(data)/8)
	for i := range all {
		all[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return all, nil
}

// Encode returns integers as the data of an array of type U64.
func Encode(all []uint64) []byte {
	data := make([]byte, 0, 8*len(all))
	for _, v := range all {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data
}
