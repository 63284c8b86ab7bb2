// Package category has the numbers that stand for the kinds of atoms and bonds
// on their whole way: from RDKit and FS-Mol's files through the graph store to
// the tables of embeddings. They are those of Hu et al. (2020), whose published
// weights are read by them.
package category

// Types of bonds. Molecules have the first four, Kekulé structures the first
// three.
const (
	Single     = iota
	Double     //
	Triple     //
	Aromatic   //
	SelfLoop   // of an atom to itself, in the layers of encoders
	MaskedBond // hidden in pretraining
	BondTypes  // how many there are

	MoleculeTypes = Aromatic + 1
	KekuleTypes   = Triple + 1
)

// BondDirections are those of a bond: none, end up right, end down right.
const BondDirections = 3

// BondCode is one number for a bond's type and direction.
func BondCode(kind, direction uint8) uint8 { return kind*BondDirections + direction }

// Elements of atoms: the atomic number less one, the last for all others.
const (
	Elements      = 119
	MaskedAtom    = Elements     // hidden in pretraining
	AtomicNumbers = Elements + 1 // rows of a table
)

// Chiralities of atoms that have embeddings: none, clockwise, anticlockwise.
const Chiralities = 3

// Features are how many numbers FS-Mol's files have of an atom.
const Features = 32
