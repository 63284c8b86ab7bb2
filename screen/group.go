package screen

import (
	"hash/maphash"
	"slices"
	"strconv"

	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/screen/ranking"
)

// Groups are the groups of rows that have equal cells in a column, such as the scaffold. A row with an empty cell, such as
// that of a molecule without rings, is in no group: it represents itself.
type Groups struct {
	Column string
	Alone  int // number of rows in no group

	at     int // index of the column in the table
	seed   maphash.Seed
	byHash map[uint64]*Group // by the hash of the cell
}

// A Group is the rows that share a cell.
type Group struct {
	Number int      `json:"number"` // from 1, in the order of the best rows
	Size   int      `json:"size"`
	Hits   *float64 `json:"hits,omitempty"` // expected number of actives: the sum of the probabilities of its rows, as shown; nil if not calibrated
	Best   int      `json:"best"`           // rank of the best row, which represents the group
}

// GroupColumns are the columns that groups add to the ranked table.
var GroupColumns = []string{"group", "group_size", "group_hits", "representative"}

// groupedBy returns the index of the column to group by, or −1. The scaffold is the computed one, also beside a
// column of this name in the library.
func groupedBy(t *ranking.Table, column string) int {
	if column == scaffold {
		return t.Computed(scaffold)
	}
	return table.Column(t.Header, column)
}

const scaffold = "scaffold"

// checkGroup returns an error if the table has no such column to group by. A column of an SD file may occur in a later
// record; Group checks it.
func checkGroup(t *ranking.Table, column string) error {
	if column == "" || t.Grows() || groupedBy(t, column) >= 0 {
		return nil
	}
	return noGroup(column)
}

func noGroup(column string) error {
	what := "no column to group by is called " + badinput.Quote(column)
	return &badinput.Error{What: what, Fix: "write scaffold, or a column of the library"}
}

// Group groups the rows by a column. Without calibrated probabilities, shown is nil. Group must be called after Rank.
func (r *Ranker) Group(column string, shown func(float32) float64) error {
	g := &Groups{at: groupedBy(r.Table, column), seed: maphash.MakeSeed(), byHash: map[uint64]*Group{}}
	if g.at < 0 {
		return noGroup(column)
	}
	g.Column = r.Table.Header[g.at]
	err := r.Spill.Each(func(row ranking.Ranked) error {
		key, is := g.key(row.Cells)
		if !is {
			g.Alone++
			return nil
		}
		one := g.byHash[key]
		if one == nil {
			one = &Group{Number: len(g.byHash) + 1, Best: row.Rank}
			if shown != nil {
				one.Hits = new(float64)
			}
			g.byHash[key] = one
		}
		one.Size++
		if shown != nil {
			*one.Hits += shown(row.Wanted())
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Groups = g
	r.Spill.Extra = append(r.Spill.Extra, g.columns()...)
	return nil
}

// columns returns the columns of GroupColumns.
func (g *Groups) columns() (all []ranking.Column) {
	for i, name := range GroupColumns {
		c := ranking.Column{Name: name, Cell: func(to []byte, _ *ranking.View, r *ranking.Ranked) []byte {
			return append(to, g.Group(r.Cells).cells(r.Rank)[i]...)
		}}
		if i == 0 {
			c.Value = func(_ *ranking.View, r *ranking.Ranked) any {
				if group := g.Group(r.Cells); group != nil {
					return group
				}
				return nil
			}
		}
		all = append(all, c)
	}
	return all
}

// Group returns the group of a row with these cells; nil if it is in none.
func (g *Groups) Group(cells ranking.Cells) *Group {
	if key, is := g.key(cells); is {
		return g.byHash[key]
	}
	return nil
}

// Len returns the number of groups and the number of rows in the largest.
func (g *Groups) Len() (n, largest int) {
	for _, one := range g.byHash {
		largest = max(largest, one.Size)
	}
	return len(g.byHash), largest
}

// key returns the key of a row's group; false if it is in none.
func (g *Groups) key(cells ranking.Cells) (uint64, bool) {
	cell := cells.At(g.at)
	return maphash.String(g.seed, cell), cell != ""
}

// cells returns the cells of GroupColumns for the row at a rank.
func (g *Group) cells(rank int) []string {
	if g == nil {
		return []string{"", "", "", "yes"}
	}
	hits, represents := "", ""
	if g.Hits != nil {
		hits = strconv.FormatFloat(*g.Hits, 'f', 2, 64)
	}
	if rank == g.Best {
		represents = "yes"
	}
	return []string{strconv.Itoa(g.Number), strconv.Itoa(g.Size), hits, represents}
}

// Grouped prepares options for grouping by a column: the names of GroupColumns are reserved, and the column of
// the scaffold is computed if it is the one to group by.
func Grouped(column string, o *ranking.Options) {
	if column == "" {
		return
	}
	o.Extra = slices.Concat(o.Extra, GroupColumns)
	if column == scaffold {
		o.Wanted.Scaffold = true
	}
}
