package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Keys holds the keys of all places of dropout, in a table on a device. A pass
// that reads them from there can be recorded, and replayed with the keys of
// another step.
type Keys struct {
	table *ts.Tensor // [n] int64
	n     int
	sites [][]uint64 // path of each place; see Mode.Site
	place map[string]int
	known bool // all places are registered
}

// NewKeys returns keys with the table [n] of int64.
func NewKeys(table *ts.Tensor) (*Keys, error) {
	n, err := elements(table)
	if err != nil {
		return nil, err
	}
	return &Keys{table: table, n: n, place: map[string]int{}}, nil
}

// Known ends the first pass, which uses the key of its Mode and registers all
// places. Later passes read the keys from the table.
func (k *Keys) Known() { k.known = true }

// address returns the address of the key of a place on the device, or 0 in the
// first pass.
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
