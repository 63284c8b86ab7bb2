package serve

import (
	"net/url"
	"strconv"
	"strings"

	"pacia/screen/why"
)

// coloursOf are the colours behind the atoms of a drawing, by the parameters of a request: atoms has
// the share of each, with commas between them, and common a 1 for each that is common to two molecules
// and else a 0. None where neither is there.
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
