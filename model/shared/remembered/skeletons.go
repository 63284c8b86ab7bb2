package remembered

import (
	"fmt"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/tautomer"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// skeletonsName is the buffer of a Bloom filter of the molecules' skeletons, 16 of its bits in a number.
const skeletonsName = model.MemorySkeletons

// A filter has about perMolecule bits for each molecule, and a molecule sets probes of them. One of ten thousand other
// molecules then seems to be in it.
const (
	perMolecule = 20
	probes      = 12
	bitsOfWord  = 16
)

// Skeletons is a Bloom filter of the skeletons of molecules (tautomer.Skeleton).
type Skeletons []uint16

// words returns the length of a filter of n molecules.
func words(n int) int { return (perMolecule*n + bitsOfWord - 1) / bitsOfWord }

// each calls use with the place of each bit of a skeleton, until use returns false.
func (f Skeletons) each(skeleton uint64, use func(word int, bit uint16) bool) {
	step := ops.MixBits(skeleton) | 1
	for range probes {
		at := skeleton % uint64(len(f)*bitsOfWord)
		if !use(int(at/bitsOfWord), 1<<(at%bitsOfWord)) {
			return
		}
		skeleton += step
	}
}

func (f Skeletons) add(skeleton uint64) {
	f.each(skeleton, func(word int, bit uint16) bool { f[word] |= bit; return true })
}

// has reports whether a skeleton was added, or, rarely, seems so.
func (f Skeletons) has(skeleton uint64) (all bool) {
	all = true
	f.each(skeleton, func(word int, bit uint16) bool { all = f[word]&bit != 0; return all })
	return all
}

// SkeletonsOf returns the filter of the molecules of tasks that have at least so many labels; all are those of Gather. It
// is nil if the store has no graphs of elements.
func SkeletonsOf(d *data.Dataset, tasks []int, all []Label, least int) Skeletons {
	s, ok := d.Store.(*molecule.Store)
	prints, printed := molecule.FingerprintsOf(d.Store)
	if !ok || !printed {
		return nil
	}
	known := map[uint64]bool{}
	for i := range all {
		if first := i - least + 1; first >= 0 && all[first].Key == all[i].Key {
			known[all[i].Key] = true
		}
	}
	f := make(Skeletons, words(len(known)))
	done := make([]bool, s.Len())
	for _, number := range tasks {
		for _, row := range d.Tasks[number].Rows {
			bit, count := prints.At(int(row))
			if done[row] || !known[Key(counts.Vector{Bit: bit, Count: count})] {
				continue
			}
			done[row] = true
			numbers, ends := s.Elements(int(row))
			if len(numbers) == 0 {
				return nil
			}
			f.add(tautomer.SkeletonOf(numbers, ends))
		}
	}
	return f
}

// LayOutSkeletons allocates the buffer of a filter of n numbers; none for 0.
func (l *Labels) LayOutSkeletons(p *params.Set, n int) {
	if n > 0 {
		l.skeletons, l.words = p.Buffer(skeletonsName, 0, int64(n)), n
	}
}

// WriteSkeletons fills the buffer, if there is one and f has its length.
func (l *Labels) WriteSkeletons(f Skeletons) error {
	if l.skeletons == nil || len(f) != l.words {
		return nil
	}
	if err := ops.Write(l.skeletons, each.As[float64](f)); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}

// Skeletons returns a function that reports whether a skeleton seems to be that of a molecule with labels. It is nil
// if none are kept.
func (l *Labels) Skeletons() (func(skeleton uint64) bool, error) {
	if l.skeletons == nil {
		return nil, nil
	}
	values, err := ops.ReadAs[float64](l.skeletons)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	f := make(Skeletons, len(values))
	for i, v := range values {
		f[i] = uint16(min(max(v, 0), 1<<bitsOfWord-1))
	}
	return f.has, nil
}
