package trust

import (
	"encoding/binary"

	"pacia/data"
	"pacia/internal/each"
	"pacia/model/shared/counts"
)

// Twins are groups of two or more molecules, rows of a store, that have one fingerprint, as
// stereoisomers have: a model that reads nothing else sees one molecule. Each group has
// positions in rows. There are none where molecules come without fingerprints.
func Twins(s data.Molecules, rows []int32) (groups [][]int) {
	v, ok := vectors(s, rows)
	if !ok {
		return nil
	}
	first := firsts(v)
	at := map[int]int{} // the group of a first
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

// firsts gives for each of N molecules the first that has its fingerprint.
func firsts(v []counts.Vector) []int {
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

// left marks the molecules of a fold [N], and with each those that have its fingerprint:
// whoever has seen a molecule's copy has seen it.
func left(fold, first []int) []bool {
	gone := each.Pairs(fold, func(at int) (int, bool) { return first[at], true })
	return each.Of(first, func(f int) bool { return gone[f] })
}
