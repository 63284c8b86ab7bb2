// Package npz writes arrays for NumPy: an uncompressed zip file with a .npy
// file for each array, which numpy.load reads.
package npz

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// A Writer writes arrays one after the other and keeps the first error.
type Writer struct {
	zip *zip.Writer
	err error
}

// NewWriter returns a Writer to w. Close ends the file; it does not close w.
func NewWriter(w io.Writer) *Writer { return &Writer{zip: zip.NewWriter(w)} }

// Close writes the zip file's directory and returns the first error.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	return w.zip.Close()
}

// Add writes an array, row by row. Without a shape it has one dimension.
func Add[T uint8 | int32](w *Writer, name string, values []T, shape ...int) {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	size := 1
	for _, s := range shape {
		size *= s
	}
	switch {
	case w.err != nil:
		return
	case size != len(values):
		w.err = fmt.Errorf("npz: array %s has %d values, its shape %v takes %d", name, len(values), shape, size)
		return
	}
	f, err := w.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
	if err == nil {
		_, err = io.WriteString(f, header(fmt.Sprintf("%T", values), shape))
	}
	if err == nil {
		err = binary.Write(f, binary.LittleEndian, values)
	}
	w.err = err
}

// header returns the header of an array in version 1.0 of numpy.lib.format: the magic
// string, the length of the rest, and a Python dictionary that is padded so that the
// values begin at a multiple of 64 bytes.
func header(kind string, shape []int) string {
	descr := map[string]string{"[]uint8": "|u1", "[]int32": "<i4"}[kind]
	var dims strings.Builder
	for _, s := range shape {
		fmt.Fprintf(&dims, "%d, ", s)
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, dims.String())
	const fixed = len("\x93NUMPY\x01\x00") + 2 // and a length of two bytes
	dict += strings.Repeat(" ", 63-(fixed+len(dict))%64) + "\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))) + dict
}
