package rdkit

/*
#cgo LDFLAGS: -lRDKitFingerprints -lRDKitDataStructs
*/
import "C"

// CountsLength is the length of a fingerprint.
const CountsLength = 2048

// Counts is a molecule's Morgan fingerprint of radius 2, folded to [CountsLength]
// counts: how many of its atoms' surroundings, up to two bonds away, fall on each.
// Those of c entries are not 0. It is what FS-Mol's task files have.
type Counts struct {
	Bit   []uint16 // [c] ascending
	Count []uint16 // [c]
}

func (c *Counts) reserve() {
	c.Bit, c.Count = make([]uint16, CountsLength), make([]uint16, CountsLength)
}

func (c *Counts) first(n int) Counts { return Counts{c.Bit[:n:n], c.Count[:n:n]} }
