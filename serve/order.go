package serve

import (
	"cmp"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/table"
)

// order sorts rows, which are in the order of their ranks.
func (r *result) order(chosen []entry, q query) error {
	sign := 1
	if q.descending {
		sign = -1
	}
	by := func(of func(entry) float32) {
		slices.SortStableFunc(chosen, func(a, b entry) int { return sign * cmp.Compare(of(a), of(b)) })
	}
	switch q.sort {
	case "", "rank":
		if q.descending {
			slices.Reverse(chosen)
		}
	case "similarity":
		by(entry.similarity)
	case "uncertainty":
		by(func(e entry) float32 { return e.Uncertainty })
	case "active":
		by(func(e entry) float32 { return e.Near.ToActive })
	case "inactive":
		by(func(e entry) float32 { return e.Near.ToInactive })
	case "domain":
		slices.SortStableFunc(chosen, func(a, b entry) int { return sign * cmp.Compare(domainOf(a), domainOf(b)) })
	default:
		return r.orderByColumn(chosen, q, sign)
	}
	return nil
}

// orderByColumn sorts rows by a column of the library. With "column:" before it, a name is never one of order.
// Numbers are sorted by value and come before texts.
func (r *result) orderByColumn(chosen []entry, q query, sign int) error {
	t := r.ranker.Table
	at := table.Column(t.Header, q.sort)
	if name, own := strings.CutPrefix(q.sort, "column:"); own && at < 0 {
		at = table.Column(t.Header, name)
	}
	if q.sort == "name" && t.Names >= 0 {
		at = t.Names
	}
	if at < 0 {
		return wrongField("sort", q.sort, "write rank, name, similarity, active, inactive, domain, uncertainty, "+
			"a column's name, or column: and a name")
	}
	type keyed struct {
		entry
		number float64
		isText bool
		text   string
	}
	keys := make([]keyed, len(chosen))
	for i, e := range chosen {
		cells, err := r.cells(e)
		if err != nil {
			return err
		}
		keys[i] = keyed{entry: e, text: cells[at]}
		var isNumber bool
		keys[i].number, isNumber = label.NumberOf(strings.TrimSpace(cells[at]))
		keys[i].isText = !isNumber
	}
	slices.SortStableFunc(keys, func(a, b keyed) int {
		switch {
		case a.isText != b.isText && a.isText: // numbers come first in both orders
			return 1
		case a.isText != b.isText:
			return -1
		case a.isText:
			return sign * cmp.Compare(strings.ToLower(a.text), strings.ToLower(b.text))
		}
		return sign * cmp.Compare(a.number, b.number)
	})
	for i, k := range keys {
		chosen[i] = k.entry
	}
	return nil
}
