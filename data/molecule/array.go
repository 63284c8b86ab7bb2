package molecule

import (
	"fmt"
	"slices"
)

// Legend: n molecules, A atoms, E directed edges.

// Per is what an array has its rows for.
type Per uint8

// The rows of an array.
const (
	PerAtom     Per = iota // [A]
	PerBond                // [E], one for each direction
	PerMolecule            // [n]
)

// Kind is the type of an array's numbers.
type Kind uint8

// The kinds of numbers.
const (
	Float Kind = iota // float32
	Byte              // uint8
	Bit               // 0 or 1: float32 in a batch, packed into bytes in a store
)

// Field declares an array: numbers of atoms, bonds or molecules that encoders read beside the graph.
// Store, batches, files and devices hold whatever arrays there are; only their makers and readers name them.
type Field struct {
	Name  string `json:"name"`
	Per   Per    `json:"per"`
	Kind  Kind   `json:"kind"`
	Width int    `json:"width"` // numbers of a row; 0 in the declaration of an array of any width
}

// Fields that several encoders read.
var (
	// Features of atoms in place of categories, such as those of FS-Mol.
	Features = Field{Name: "features", Kind: Bit}
	// Places are coordinates of atoms in Å, with the features of rdkit.Conformer.
	Places = Field{Name: "places", Width: 3}
	// Descriptors of molecules; see [Featurizer.Described].
	Descriptors = Field{Name: "descriptors", Per: PerMolecule, Width: DescriptorCount}
	// Embeddings are vectors of an encoder with fixed parameters, NaN for a molecule that it cannot read.
	Embeddings = Field{Name: "embeddings", Per: PerMolecule}
)

// Wide returns the field with rows of n numbers.
func (f Field) Wide(n int) Field {
	f.Width = n
	return f
}

// Packed returns the numbers of a row in a store: bytes, if its numbers are bits. The lowest bit of a byte is first.
func (f Field) Packed() int {
	if f.Kind == Bit {
		return max(4, (f.Width+7)/8)
	}
	return f.Width
}

// Check returns an error for a field that no store has.
func (f Field) Check() error {
	if f.Name == "" || f.Per > PerMolecule || f.Kind > Bit || f.Width < 1 || f.Width > 1<<20 {
		return fmt.Errorf("array %q has kind %d, %d numbers in a row and rows of kind %d", f.Name, f.Kind, f.Width, f.Per)
	}
	return nil
}

// Array is the numbers of a field.
type Array struct {
	Field
	Floats []float32 // [rows, Width], unless the numbers are bytes or packed bits
	Bytes  []uint8   // [rows, Packed]
}

// Named are arrays of the same molecules, by the names of their fields.
type Named []Array

// Array returns the array of a field, or one without numbers.
func (n Named) Array(f Field) Array {
	if i := n.index(f.Name); i >= 0 {
		return n[i]
	}
	return Array{Field: f}
}

// Floats returns the numbers of a field [rows, Width]; nil if there are none.
func (n Named) Floats(f Field) []float32 { return n.Array(f).Floats }

func (n Named) index(name string) int {
	return slices.IndexFunc(n, func(a Array) bool { return a.Name == name })
}

// Set replaces the array of a field, without a change of other lists that share its memory. It removes an array
// that a has no numbers for.
func (n *Named) Set(a Array) {
	others := slices.DeleteFunc(slices.Clone(*n), func(b Array) bool { return b.Name == a.Name })
	if len(a.Floats)+len(a.Bytes) > 0 {
		others = append(others, a)
	}
	*n = others
}

// SetFloats is Set of float32 [rows, Width], where the width follows from the number of rows.
func (n *Named) SetFloats(f Field, rows int, values []float32) {
	f.Kind = Float
	n.Set(Array{Field: f.Wide(len(values) / max(1, rows)), Floats: values})
}

// place returns array i for appending, after those before it were appended to. A reset list keeps their memory.
func (n *Named) place(i int, f Field) *Array {
	if i == len(*n) {
		if *n = slices.Grow(*n, 1)[:i+1]; f.Kind == Bit {
			f.Kind = Float
		}
		a := &(*n)[i]
		*a = Array{f, a.Floats[:0], a.Bytes[:0]}
	}
	return &(*n)[i]
}

// rows are the first and the last row + 1 of a molecule in arrays, for each Per.
type rows [PerMolecule + 1][2]int

// add appends the rows of a molecule of other arrays, which have the same fields in the same order.
func (n *Named) add(of Named, r rows) {
	for i := range of {
		from := &of[i]
		to, w, first, last := n.place(i, from.Field), from.Packed(), r[from.Per][0], r[from.Per][1]
		switch from.Kind {
		case Float:
			to.Floats = append(to.Floats, from.Floats[w*first:w*last]...)
		case Byte:
			to.Bytes = append(to.Bytes, from.Bytes[w*first:w*last]...)
		default:
			to.Floats = appendBits(to.Floats, from.Bytes[w*first:w*last], from.Width)
		}
	}
}

// appendBits appends the k bits of each row as numbers 0 and 1.
func appendBits(to []float32, packed []uint8, k int) []float32 {
	for w := (Field{Kind: Bit, Width: k}).Packed(); len(packed) > 0; packed = packed[w:] {
		for i := range k {
			to = append(to, float32(packed[i/8]>>(i%8)&1))
		}
	}
	return to
}

// numbers returns the array of a field of a store that is being made.
func (n *Named) numbers(f Field) *Array {
	i := n.index(f.Name)
	if i < 0 {
		i = len(*n)
		*n = append(*n, Array{Field: f})
	}
	return &(*n)[i]
}

// join appends all rows of another part of a store.
func (n *Named) join(part Named) {
	for i := range part {
		a := n.numbers(part[i].Field)
		a.Floats, a.Bytes = append(a.Floats, part[i].Floats...), append(a.Bytes, part[i].Bytes...)
	}
}
