package serve

import (
	"net/url"
	"strconv"
	"strings"

	"pacia/data/rdkit"
	"pacia/screen/why"
)

// mostLetters limits a list of numbers of atoms in a request.
const mostLetters = 1 << 14

// lookOf returns the look of a drawing. Its parameters have an element for each atom, separated by commas: atoms has
// shares, and nothing for an atom of the common core; onto the atoms of the SMILES in like in whose place the
// atoms are drawn, or -1; notes numbers beside atoms, or 0. common has a digit for each atom, 1 if two molecules
// have it in common and 0 otherwise. Without atoms and common, the drawing has no colours.
func lookOf(v url.Values) (look rdkit.Look, err error) {
	if look.Colours, err = coloursOf(v); err != nil {
		return look, err
	}
	look.Like = v.Get("like")
	for name, list := range map[string]*[]int32{"onto": &look.Onto, "notes": &look.Notes} {
		if *list, err = atomsOf(name, v.Get(name)); err != nil {
			return look, err
		}
	}
	if (look.Like == "") != (look.Onto == nil) {
		return look, wrongField("like", look.Like, "write both like and onto, or neither")
	}
	return look, nil
}

// atomsOf parses an integer for each atom, from -1 to the largest number of atoms. It returns nil for an empty text.
func atomsOf(name, text string) (all []int32, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text[:min(len(text), mostLetters)], ",") {
		n, err := number(name, part, -1, rdkit.MaxAtoms)
		if err != nil {
			return nil, err
		}
		all = append(all, int32(n))
	}
	return all, nil
}

func coloursOf(v url.Values) ([]uint32, error) {
	if common := v.Get("common"); common != "" {
		n := why.Neighbor{Atoms: len(common)}
		for i, c := range common {
			switch c {
			case '1':
				n.CommonThere = append(n.CommonThere, int32(i))
			case '0':
			default:
				return nil, wrongField("common", common, "write 0 or 1 for each atom")
			}
		}
		return n.There().Colours, nil
	}
	if v.Get("atoms") == "" {
		return nil, nil
	}
	var shares []*float64
	for text := range strings.SplitSeq(v.Get("atoms"), ",") {
		if text == "" {
			shares = append(shares, nil)
			continue
		}
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share >= -1e6 && share <= 1e6) {
			return nil, wrongField("atoms", text, "write a number for each atom, or nothing for an atom of the common core")
		}
		shares = append(shares, &share)
	}
	return why.Colours(shares), nil
}
