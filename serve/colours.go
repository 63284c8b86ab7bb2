package serve

import (
	"net/url"
	"strconv"
	"strings"

	"pacia/screen/why"
)

// coloursOf returns the colours behind the atoms of a drawing. They follow from one of two parameters of the
// request: atoms has the share of each atom, separated by commas. Common has a digit for each atom, 1 if two
// molecules have it in common and 0 otherwise. Without either, the drawing has no colours.
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
		return n.There(), nil
	}
	if v.Get("atoms") == "" {
		return nil, nil
	}
	var r why.Reasons
	for text := range strings.SplitSeq(v.Get("atoms"), ",") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share >= -1e6 && share <= 1e6) {
			return nil, wrongField("atoms", text, "write a number for each atom")
		}
		r.Atoms = append(r.Atoms, share)
	}
	return r.Colours(), nil
}
