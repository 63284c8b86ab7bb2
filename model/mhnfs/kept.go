package mhnfs

import (
	"fmt"
	"math"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/each"
	"pacia/model"
)

// Legend: n molecules, A atoms, k features of one, E directed edges, F counts of
// fingerprints that are not 0, D descriptors and W embedding of a molecule.

// prefix begins the names of the buffers. Features, places, descriptors and embeddings are
// float32. All other numbers are integers that float32 holds exactly.
const prefix = model.MemoryPrefix + "context."

// buffer is a buffer with the function that reads its content from a batch.
type buffer struct {
	name string
	of   func(*data.Batch) []float64
}

// Names of the buffers.
const (
	atomsName       = prefix + "atoms"       // [n] of each molecule
	categoriesName  = prefix + "categories"  // [2A]
	featuresName    = prefix + "features"    // [A·k]
	degreesName     = prefix + "degrees"     // [A] edges into an atom
	neighboursName  = prefix + "neighbours"  // [E] atoms that they come from
	bondsName       = prefix + "bonds"       // [2E]
	countsName      = prefix + "counts"      // [n] of each molecule's fingerprint that are not 0
	bitsName        = prefix + "bits"        // [F]
	numbersName     = prefix + "numbers"     // [F]
	descriptorsName = prefix + "descriptors" // [n·D] 0 for one that is not finite
	undefinedName   = prefix + "undefined"   // [U] indices of descriptors that are not finite
	placesName      = prefix + "places"      // [3A]
	embeddingsName  = prefix + "embeddings"  // [n·W] 0, as the encoder reads it, for one that is not finite
)

var buffers = []buffer{
	{atomsName, func(b *data.Batch) []float64 { return lengths(b.MolPtr) }},
	{categoriesName, func(b *data.Batch) []float64 { return each.As[float64](b.Atoms) }},
	{featuresName, func(b *data.Batch) []float64 { return each.As[float64](b.Features) }},
	{degreesName, func(b *data.Batch) []float64 { return lengths(b.RowPtr) }},
	{neighboursName, func(b *data.Batch) []float64 { return each.As[float64](b.Col) }},
	{bondsName, func(b *data.Batch) []float64 { return each.As[float64](b.Bond) }},
	{countsName, func(b *data.Batch) []float64 { return lengths(b.Fingerprints.Ptr) }},
	{bitsName, func(b *data.Batch) []float64 { return each.As[float64](b.Fingerprints.Bit) }},
	{numbersName, func(b *data.Batch) []float64 { return each.As[float64](b.Fingerprints.Count) }},
	{descriptorsName, func(b *data.Batch) []float64 { return finite(each.As[float64](b.Descriptors)) }},
	{undefinedName, func(b *data.Batch) []float64 { return undefined(b.Descriptors) }},
	{placesName, func(b *data.Batch) []float64 { return each.As[float64](b.Places) }},
	{embeddingsName, func(b *data.Batch) []float64 { return finite(each.As[float64](b.Embeddings)) }},
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

func undefined(values []float32) (where []float64) {
	for i, v := range values {
		if !isFinite(float64(v)) {
			where = append(where, float64(i))
		}
	}
	return where
}

// unpacked returns the batch stored in values, as the support set of one task.
func unpacked(values map[string][]float64) (*data.Batch, error) {
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
	b.Atoms, b.Features = whole[uint8](&u, categoriesName, 1<<8), each.As[float32](values[featuresName])
	switch {
	case len(b.Atoms) > 0:
		u.expect(categoriesName, 2*atoms)
	case len(b.Features) > 0:
		u.expect(featuresName, len(b.Features)/max(1, atoms)*atoms)
	}
	if b.Places = each.As[float32](values[placesName]); len(b.Places) > 0 {
		u.expect(placesName, 3*atoms)
	}
	u.fingerprints(b, n)
	u.descriptors(b, n)
	b.Embeddings = each.As[float32](values[embeddingsName])
	u.expect(embeddingsName, len(b.Embeddings)/max(1, n)*n)
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

func (u *unpacker) descriptors(b *data.Batch, n int) {
	b.Descriptors = each.As[float32](u.values[descriptorsName])
	if len(b.Descriptors) > 0 {
		u.expect(descriptorsName, n*molecule.DescriptorCount)
	}
	for _, i := range whole[int32](u, undefinedName, len(b.Descriptors)) {
		b.Descriptors[i] = float32(math.NaN())
	}
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
