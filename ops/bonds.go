package ops

import "fmt"

// Join makes the bonds of a graph of MolPtr's atoms from lists of bonds, one list for
// each type, with every bond once.
func (h *HostGraph) Join(bonds ...[][2]int32) error {
	atoms := 0
	if n := len(h.MolPtr); n > 0 {
		atoms = int(h.MolPtr[n-1])
	}
	h.RowPtr = make([]int32, atoms+1)
	for kind, list := range bonds {
		for i, b := range list {
			for _, atom := range b {
				if atom < 0 || int(atom) >= atoms {
					return fmt.Errorf("bond %d of type %d has atom %d, out of range of 0 to %d", i, kind, atom, atoms-1)
				}
				h.RowPtr[atom+1]++
			}
		}
	}
	for v := range atoms {
		h.RowPtr[v+1] += h.RowPtr[v]
	}
	next := make([]int32, atoms)
	copy(next, h.RowPtr)
	h.Col, h.Bond = make([]int32, h.RowPtr[atoms]), make([]uint8, 2*h.RowPtr[atoms])
	for kind, list := range bonds {
		for _, b := range list {
			for end := range b {
				k := next[b[end]]
				next[b[end]]++
				h.Col[k], h.Bond[2*k] = b[1-end], uint8(kind)
			}
		}
	}
	return nil
}

// checkMolecules returns an error for a molecule that is empty or bonded to another one.
func (h *HostGraph) checkMolecules() error {
	for m := range len(h.MolPtr) - 1 {
		first, last := h.MolPtr[m], h.MolPtr[m+1]
		if first == last {
			return fmt.Errorf("molecule %d has no atoms", m)
		}
		for _, u := range h.Col[h.RowPtr[first]:h.RowPtr[last]] {
			if u < first || u >= last {
				return fmt.Errorf("molecule %d, atoms %d to %d, is bonded to atom %d", m, first, last-1, u)
			}
		}
	}
	return nil
}
