package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Keys are the keys of the places of dropout, in a table on a device: a pass
// that takes them from there can be recorded, and run again with those of
// another step.
type Keys struct {
	table *ts.Tensor // [n] int64
	n     int
	sites [][]uint64 // for each place the numbers that lead to it; see Mode.Site
	place map[string]int
	known bool // all places were met
}

// NewKeys hands out the places of table [n], of int64.
func NewKeys(table *ts.Tensor) (*Keys, error) {
	n, err := elements(table)
	if err != nil {
		return nil, err
	}
	return &Keys{table: table, n: n, place: map[string]int{}}, nil
}

// Known ends the first pass, which has the keys of its Mode, and in which all
// places are met. From here on they are read from the table.
func (k *Keys) Known() { k.known = true }

// address returns where on the device the key of a place is, or 0 in the first
// pass.
func (k *Keys) address(path []uint64) (uint64, error) {
	name := fmt.Sprint(path)
	i, met := k.place[name]
	switch {
	case met:
	case k.known:
		return 0, fmt.Errorf("dropout at a place that the first pass did not come to: %s", name)
	case len(k.sites) == k.n:
		return 0, fmt.Errorf("more than %d places of dropout", k.n)
	default:
		i = len(k.sites)
		k.place[name] = i
		k.sites = append(k.sites, path)
	}
	if !k.known {
		return 0, nil
	}
	return uint64(C.pacia_address(C.pacia_tensor(k.table.Ctensor()))) + uint64(8*i), nil
}

// Fill writes to table the keys of a step for all places, as Mode.Site derives
// them from its key.
func (k *Keys) Fill(table []int64, step uint64) {
	for i, path := range k.sites {
		m := Mode{Key: step}
		for _, n := range path {
			m = m.Site(n)
		}
		table[i] = int64(m.Key)
	}
}
