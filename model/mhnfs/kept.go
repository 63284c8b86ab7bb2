package mhnfs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/each"
	"pacia/model"
)

// Legend: n molecules, A atoms, E directed edges, F counts of fingerprints that are not 0.

// prefix begins the names of the buffers, which are float32. All numbers that are not of a named
// array are integers that float32 holds exactly.
const prefix = model.MemoryPrefix + "context."

// buffer is a buffer with the function that reads its content from a batch.
type buffer struct {
	name string
	of   func(*data.Batch) []float64
}

// Names of the buffers. A named array has one of its name, and one with the indices of numbers that are not finite.
const (
	atomsName      = prefix + "atoms"      // [n] of each molecule
	categoriesName = prefix + "categories" // [2A]
	degreesName    = prefix + "degrees"    // [A] edges into an atom
	neighboursName = prefix + "neighbours" // [E] atoms that they come from
	bondsName      = prefix + "bonds"      // [2E]
	countsName     = prefix + "counts"     // [n] of each molecule's fingerprint that are not 0
	bitsName       = prefix + "bits"       // [F]
	numbersName    = prefix + "numbers"    // [F]
)

// undefinedName is the name of the indices of numbers that are not finite, which are 0 in the array's own buffer.
func undefinedName(f molecule.Field) string {
	if f.Name == molecule.Descriptors.Name {
		return prefix + "undefined"
	}
	return prefix + f.Name + ".undefined"
}

var buffers = []buffer{
	{atomsName, func(b *data.Batch) []float64 { return lengths(b.MolPtr) }},
	{categoriesName, func(b *data.Batch) []float64 { return each.As[float64](b.Atoms) }},
	{degreesName, func(b *data.Batch) []float64 { return lengths(b.RowPtr) }},
	{neighboursName, func(b *data.Batch) []float64 { return each.As[float64](b.Col) }},
	{bondsName, func(b *data.Batch) []float64 { return each.As[float64](b.Bond) }},
	{countsName, func(b *data.Batch) []float64 { return lengths(b.Fingerprints.Ptr) }},
	{bitsName, func(b *data.Batch) []float64 { return each.As[float64](b.Fingerprints.Bit) }},
	{numbersName, func(b *data.Batch) []float64 { return each.As[float64](b.Fingerprints.Count) }},
}

// packed returns the values of all buffers of a batch. Empty ones are left out.
func packed(b *data.Batch) map[string][]float64 {
	values := map[string][]float64{}
	put := func(name string, v []float64) {
		if len(v) > 0 {
			values[name] = v
		}
	}
	for _, p := range buffers {
		put(p.name, p.of(b))
	}
	for _, a := range b.Named {
		all := append(each.As[float64](a.Floats), each.As[float64](a.Bytes)...)
		put(undefinedName(a.Field), undefined(all))
		put(prefix+a.Name, finite(all))
	}
	return values
}

type number interface {
	uint8 | uint16 | int32 | float32
}

func lengths(ptr []int32) (out []float64) {
	for i := 1; i < len(ptr); i++ {
		out = append(out, float64(ptr[i]-ptr[i-1]))
	}
	return out
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// finite returns the values with 0 in place of those that are not finite, which a checkpoint refuses.
func finite(values []float64) []float64 {
	for i, v := range values {
		if !isFinite(v) {
			values[i] = 0
		}
	}
	return values
}

func undefined(values []float64) (where []float64) {
	for i, v := range values {
		if !isFinite(v) {
			where = append(where, float64(i))
		}
	}
	return where
}

// unpacked returns the batch stored in values, as the support set of one task, with the arrays of these fields.
func unpacked(values map[string][]float64, fields []molecule.Field) (*data.Batch, error) {
	u := unpacker{values: values}
	n := len(values[atomsName])
	b := &data.Batch{Tasks: 1, Support: n, SupportLabel: make([]uint8, n), TaskNumber: []int32{0}}
	b.MolPtr = u.offsets(atomsName)
	atoms := last(b.MolPtr)
	b.RowPtr = u.offsets(degreesName)
	u.expect(degreesName, atoms)
	edges := last(b.RowPtr)
	b.Col, b.Bond = whole[int32](&u, neighboursName, atoms), whole[uint8](&u, bondsName, 1<<8)
	u.expect(neighboursName, edges)
	u.expect(bondsName, 2*edges)
	if b.Atoms = whole[uint8](&u, categoriesName, 1<<8); len(b.Atoms) > 0 {
		u.expect(categoriesName, 2*atoms)
	}
	u.fingerprints(b, n)
	for _, f := range fields {
		b.Set(u.array(f, b.Rows(f.Per)))
	}
	b.Shots = n / 2
	b.GroupPtr = []int32{0, int32(atoms), int32(atoms)}
	for i := range int32(n) {
		b.SupportMol = append(b.SupportMol, i)
	}
	return b, u.err
}

// unpacker keeps the first error.
type unpacker struct {
	values map[string][]float64
	err    error
}

func (u *unpacker) fingerprints(b *data.Batch, n int) {
	if len(u.values[countsName]) == 0 {
		return
	}
	u.expect(countsName, n)
	f := &b.Fingerprints
	f.Ptr = u.offsets(countsName)
	f.Bit, f.Count = whole[uint16](u, bitsName, molecule.FingerprintLength), whole[uint16](u, numbersName, 1<<16)
	u.expect(bitsName, last(f.Ptr))
	u.expect(numbersName, len(f.Bit))
}

// array returns the named array of a field with the given number of rows.
func (u *unpacker) array(f molecule.Field, rows int) molecule.Array {
	name := prefix + f.Name
	n := len(u.values[name])
	f = f.Wide(cmp.Or(f.Width, n/max(1, rows)))
	if n > 0 {
		u.expect(name, f.Width*rows)
	}
	if f.Kind == molecule.Byte {
		return molecule.Array{Field: f, Bytes: whole[uint8](u, name, 1<<8)}
	}
	f.Kind = molecule.Float
	a := molecule.Array{Field: f, Floats: each.As[float32](u.values[name])}
	for _, i := range whole[int32](u, undefinedName(f), n) {
		a.Floats[i] = float32(math.NaN())
	}
	return a
}

// expect records an error if a buffer does not have size values.
func (u *unpacker) expect(name string, size int) {
	if got := len(u.values[name]); u.err == nil && got != size {
		u.err = fmt.Errorf("%s has %d numbers, and others ask for %d", name, got, size)
	}
}

// offsets returns the offsets that belong to the lengths in a buffer.
func (u *unpacker) offsets(name string) []int32 {
	offsets, sum := []int32{0}, 0
	for _, v := range whole[int32](u, name, math.MaxInt32) {
		if sum += int(v); sum > math.MaxInt32 {
			u.err = fmt.Errorf("%s adds up to more than a batch can number", name)
			return []int32{0}
		}
		offsets = append(offsets, int32(sum))
	}
	return offsets
}

// whole returns the values of a buffer, which must be integers from 0 to below − 1.
func whole[T number](u *unpacker, name string, below int) []T {
	v := u.values[name]
	if i := slices.IndexFunc(v, func(x float64) bool { return x < 0 || x >= float64(below) || x != math.Trunc(x) }); i >= 0 {
		if u.err == nil {
			u.err = fmt.Errorf("number %d of %s is %v, and not one of 0 to %d", i, name, v[i], below-1)
		}
		return nil
	}
	return each.As[T](v)
}

func last(offsets []int32) int { return int(offsets[len(offsets)-1]) }
