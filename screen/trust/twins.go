package trust

import (
	"encoding/binary"

	"pacia/data/molecule"
	"pacia/internal/each"
	"pacia/model/shared/counts"
)

// Twins returns groups of two or more molecules, rows of a store, that have the same fingerprint, as
// stereoisomers do: a model that reads only fingerprints cannot distinguish them. A group holds
// indices of rows. There are none if molecules have no fingerprints.
func Twins(s molecule.List, rows []int32) (groups [][]int) {
	v, ok := vectors(s, rows)
	if !ok {
		return nil
	}
	first := firstTwins(v)
	at := map[int]int{} // index in groups, by the group's first molecule
	for i, f := range first {
		if i == f {
			continue
		}
		g, known := at[f]
		if !known {
			g = len(groups)
			at[f], groups = g, append(groups, []int{f})
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// firstTwins returns, for each of N molecules, the index of the first one with its fingerprint.
func firstTwins(v []counts.Vector) []int {
	first, seen := make([]int, len(v)), map[string]int{}
	var key []byte
	for i, one := range v {
		key = key[:0]
		for k, bit := range one.Bit {
			key = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(key, bit), one.Count[k])
		}
		at, known := seen[string(key)]
		if !known {
			at = i
			seen[string(key)] = i
		}
		first[i] = at
	}
	return first
}

// omitted marks the molecules to leave out [N]: those of a fold and all others with their fingerprints, from which
// a model would learn the same.
func omitted(fold, first []int) []bool {
	gone := each.Pairs(fold, func(at int) (int, bool) { return first[at], true })
	return each.Of(first, func(f int) bool { return gone[f] })
}
