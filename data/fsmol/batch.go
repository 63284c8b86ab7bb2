package fsmol

import (
	"fmt"
	"slices"

	"pacia/data"
)

// Batch is a step for encoders of the benchmark's graphs, on the host: A atoms,
// E bonds counted in both directions. Order and boundaries of molecules, groups
// and tasks are those of data.Batch, of which RowPtr and Col are filled, too;
// Atoms, Bond, Levels and AtomRow are empty.
type Batch struct {
	data.Batch

	Features []float32 // [A, 32]
	Type     []uint8   // [E] single, double, triple: 0 to 2; at each atom in this order
}

// Assemble joins the episodes of a step, one a task, all with as many support
// molecules.
func Assemble(s *Store, episodes []data.Episode) (*Batch, error) {
	b := new(Batch)
	return b, AssembleInto(b, s, episodes)
}

// AssembleInto is [Assemble] into a batch whose room is used again.
func AssembleInto(b *Batch, s *Store, episodes []data.Episode) error {
	b.reset()
	if len(episodes) == 0 {
		return fmt.Errorf("fsmol.Assemble: no episodes")
	}
	b.Support, b.Shots = len(episodes[0].Support), episodes[0].Shots
	for i := range episodes {
		e := &episodes[i]
		if err := s.check(e); err != nil {
			return fmt.Errorf("fsmol.Assemble: episode %d: %w", i, err)
		}
		if len(e.Support) != b.Support {
			return fmt.Errorf("fsmol.Assemble: episode %d has %d support molecules, episode 0 has %d", i, len(e.Support), b.Support)
		}
		b.Shots = min(b.Shots, e.Shots)
		b.addTask(s, e)
	}
	b.addBonds(s, episodes)
	return nil
}

// check says what of an episode cannot be assembled.
func (s *Store) check(e *data.Episode) error {
	if len(e.SupportLabels) != len(e.Support) {
		return fmt.Errorf("%d support molecules and %d labels", len(e.Support), len(e.SupportLabels))
	}
	if len(e.QueryLabels) != 0 && len(e.QueryLabels) != len(e.Query) {
		return fmt.Errorf("%d queries and %d labels", len(e.Query), len(e.QueryLabels))
	}
	if err := s.checkRows(e.Support); err != nil {
		return err
	}
	return s.checkRows(e.Query)
}

// reset empties the batch and keeps its room.
func (b *Batch) reset() {
	b.Tasks, b.Support, b.Shots = 0, 0, 0
	b.Features = b.Features[:0]
	b.MolPtr, b.GroupPtr = append(b.MolPtr[:0], 0), append(b.GroupPtr[:0], 0)
	b.SupportMol, b.QueryMol, b.QueryTask = b.SupportMol[:0], b.QueryMol[:0], b.QueryTask[:0]
	b.SupportLabel, b.QueryLabel = b.SupportLabel[:0], b.QueryLabel[:0]
}

// addTask appends the atoms of one task: its support group, then its queries.
func (b *Batch) addTask(s *Store, e *data.Episode) {
	for _, row := range e.Support {
		b.SupportMol = append(b.SupportMol, b.addAtoms(s, row))
	}
	b.GroupPtr = append(b.GroupPtr, b.MolPtr[len(b.MolPtr)-1])
	for _, row := range e.Query {
		b.QueryMol = append(b.QueryMol, b.addAtoms(s, row))
		b.QueryTask = append(b.QueryTask, int32(b.Tasks))
	}
	b.GroupPtr = append(b.GroupPtr, b.MolPtr[len(b.MolPtr)-1])
	b.SupportLabel = append(b.SupportLabel, e.SupportLabels...)
	b.QueryLabel = append(b.QueryLabel, e.QueryLabels...)
	b.Tasks++
}

// addAtoms appends the atoms of a molecule and returns its number in the batch.
func (b *Batch) addAtoms(s *Store, row int32) int32 {
	for _, bits := range s.atoms[s.molPtr[row]:s.molPtr[row+1]] {
		b.Features = AppendFeatures(b.Features, bits)
	}
	b.MolPtr = append(b.MolPtr, int32(len(b.Features)/Features))
	return int32(len(b.MolPtr) - 2)
}

// addBonds fills in the bonds, in both directions. Those of one type at one atom
// keep the order of the file.
func (b *Batch) addBonds(s *Store, episodes []data.Episode) {
	atoms := len(b.Features) / Features
	ptr := resized(b.RowPtr, atoms+1)
	b.eachBond(s, episodes, func(u, v int32, _ uint8) {
		ptr[u+1]++
		ptr[v+1]++
	})
	for v := range atoms {
		ptr[v+1] += ptr[v]
	}
	col, kind := resized(b.Col, int(ptr[atoms])), resized(b.Type, int(ptr[atoms]))
	// ptr[v] moves to the end of v's bonds, which is where v+1's begin.
	b.eachBond(s, episodes, func(u, v int32, t uint8) {
		for _, bond := range [2][2]int32{{u, v}, {v, u}} {
			e := ptr[bond[0]]
			ptr[bond[0]]++
			col[e], kind[e] = bond[1], t
		}
	})
	copy(ptr[1:], ptr[:atoms])
	ptr[0] = 0
	b.RowPtr, b.Col, b.Type = ptr, col, kind
}

// resized returns n zeros, in the room of s where it suffices.
func resized[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// eachBond goes over the bonds, type by type, with the atoms as the batch numbers
// them.
func (b *Batch) eachBond(s *Store, episodes []data.Episode, f func(u, v int32, t uint8)) {
	for t := range BondTypes {
		m := 0
		for i := range episodes {
			for _, rows := range [][]int32{episodes[i].Support, episodes[i].Query} {
				for _, row := range rows {
					first := b.MolPtr[m]
					ends := s.bonds[t][2*s.bondPtr[t][row] : 2*s.bondPtr[t][row+1]]
					for k := 0; k < len(ends); k += 2 {
						f(first+int32(ends[k]), first+int32(ends[k+1]), uint8(t))
					}
					m++
				}
			}
		}
	}
}
