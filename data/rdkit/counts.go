package rdkit

// CountsLength is the length of a fingerprint.
const CountsLength = 2048

// Counts is a molecule's Morgan fingerprint of radius 2, folded to [CountsLength] counts.
// Each count is the number of atom environments, up to two bonds away, with this bit. Only the
// c counts that are not 0 are listed. FS-Mol's task files have the same fingerprint.
type Counts struct {
	Bit   []uint16 // [c] ascending
	Count []uint16 // [c]
}

func (c *Counts) reserve() {
	c.Bit, c.Count = make([]uint16, CountsLength), make([]uint16, CountsLength)
}

func (c *Counts) first(n int) Counts { return Counts{c.Bit[:n:n], c.Count[:n:n]} }
