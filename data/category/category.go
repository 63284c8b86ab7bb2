// Package category defines the numbers of the categories of atoms and bonds. They are
// the same everywhere: in the output of RDKit and of FS-Mol's files, in the graph store,
// and as rows of embedding tables. They are the numbers of Hu et al. (2020), so that
// published weights can be used.
package category

// Types of bonds. Molecules have the first four, Kekulé structures the first
// three.
const (
	Single     = iota
	Double     //
	Triple     //
	Aromatic   //
	SelfLoop   // from an atom to itself, in the layers of encoders
	MaskedBond // masked in pretraining
	BondTypes  // the number of types

	MoleculeTypes = Aromatic + 1
	KekuleTypes   = Triple + 1
)

// BondDirections is the number of directions of a bond: none, end up right, end down right.
const BondDirections = 3

// BondCode combines a bond's type and direction into one number.
func BondCode(kind, direction uint8) uint8 { return kind*BondDirections + direction }

// Elements is the number of codes of elements: atomic numbers minus one, and the last code for all others.
const (
	Elements      = 119
	MaskedAtom    = Elements     // masked in pretraining
	AtomicNumbers = Elements + 1 // rows of a table
)

// Chiralities is the number of chiralities with embeddings: none, clockwise, anticlockwise.
const Chiralities = 3

// Features is the number of features of an atom in FS-Mol's files.
const Features = 32
