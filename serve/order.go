package serve

import (
	"cmp"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/each"
	"pacia/screen/ranking"
)

// A shownColumn is a column of the ranked table as the page shows it.
type shownColumn struct {
	Name  string `json:"name"` // of its member in rows
	Title string `json:"title,omitempty"`
	Sort  string `json:"sort,omitempty"`  // the value of sort; empty: rows are not sorted by it
	Down  bool   `json:"down,omitempty"`  // the largest come first
	Place int    `json:"place,omitempty"` // in the table, smaller ones before larger ones; 0: it is not there
}

// shownColumns returns the columns of a ranking that are members of rows.
func (r *result) shownColumns() (all []shownColumn) {
	for _, c := range r.view.Columns {
		if c.HasMember() {
			all = append(all, shownColumn{Name: cmp.Or(c.Member, c.Name), Title: c.Title, Sort: c.Sort, Down: c.Down, Place: c.Place})
		}
	}
	return all
}

// order sorts rows, which are in the order of their ranks.
func (r *result) order(chosen []entry, q query) error {
	sign := 1
	if q.descending {
		sign = -1
	}
	by := func(number func(*ranking.Ranked) float64) {
		slices.SortStableFunc(chosen, func(a, b entry) int { return sign * cmp.Compare(number(&a.Ranked), number(&b.Ranked)) })
	}
	name := cmp.Or(q.sort, "rank")
	if name == similarity {
		by(func(row *ranking.Ranked) float64 { return float64(max(row.Near.ToActive, row.Near.ToInactive)) })
		return nil
	}
	for _, c := range ranking.Sorting() {
		if c.Sort == name {
			by(c.Order)
			return nil
		}
	}
	return r.orderByColumn(chosen, q, sign)
}

// similarity is the name by which rows are sorted by the nearest support molecule of either class.
const similarity = "similarity"

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
		names := each.Of(ranking.Sorting(), func(c ranking.Column) string { return c.Sort })
		return wrongField("sort", q.sort, "write name, similarity, "+strings.Join(names, ", ")+", a column's name, or column: and a name")
	}
	type keyed struct {
		entry
		number float64
		isText bool
		text   string
	}
	keys := make([]keyed, len(chosen))
	for i, e := range chosen {
		cells, err := r.ranker.Spill.CellsAt(&e.Ranked)
		if err != nil {
			return err
		}
		keys[i] = keyed{entry: e, text: cells.At(at)}
		var isNumber bool
		keys[i].number, isNumber = label.NumberOf(strings.TrimSpace(keys[i].text))
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
