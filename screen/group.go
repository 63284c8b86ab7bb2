package screen

import (
	"hash/maphash"
	"slices"
	"strconv"

	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/screen/ranking"
)

// Groups are rows with equal cells in a column, such as that of the scaffold.
type Groups struct {
	Column string

	at   int // of the column in the table
	seed maphash.Seed
	of   map[uint64]*Group // by the hash of the cell
}

// A Group is rows with one cell.
type Group struct {
	Number int     `json:"number"` // from 1, in the order of the best rows
	Size   int     `json:"size"`
	Hits   float64 `json:"hits"` // expected: the sum of the probabilities of its rows, as they are shown
	Best   int     `json:"best"` // rank of the best row, which represents the group
}

// GroupColumns are what the ranked table gets.
var GroupColumns = []string{"group", "group_size", "group_hits", "representative"}

// Group groups the rows by a column; Rank has ended before.
func (r *Ranker) Group(column string, shown func(float32) float64) error {
	g := &Groups{Column: column, at: table.Column(r.Table.Header, column), seed: maphash.MakeSeed(), of: map[uint64]*Group{}}
	if g.at < 0 {
		return &badinput.Error{What: "no column to group by is called " + badinput.Quote(column), Fix: "write scaffold, or a column of the library"}
	}
	err := r.Spill.Each(func(row ranking.Ranked) error {
		cells, err := ranking.CellsOf(row)
		if err != nil {
			return err
		}
		key := g.key(cells)
		one := g.of[key]
		if one == nil {
			one = &Group{Number: len(g.of) + 1, Best: row.Rank}
			g.of[key] = one
		}
		one.Size++
		one.Hits += shown(row.Wanted())
		return nil
	})
	if err != nil {
		return err
	}
	r.Groups = g
	r.Spill.Extra = append(r.Spill.Extra, ranking.Extra{Names: GroupColumns, Cells: func(row ranking.Ranked) []string {
		cells, err := ranking.CellsOf(row)
		if err != nil {
			return nil // it was read before
		}
		return g.Of(cells).cells(row.Rank)
	}})
	return nil
}

// Of is the group of a row with these cells.
func (g *Groups) Of(cells []string) *Group { return g.of[g.key(cells)] }

// Len is how many groups there are, and largest how many rows the largest has.
func (g *Groups) Len() (n, largest int) {
	for _, one := range g.of {
		largest = max(largest, one.Size)
	}
	return len(g.of), largest
}

func (g *Groups) key(cells []string) uint64 {
	if g.at >= len(cells) {
		return maphash.String(g.seed, "")
	}
	return maphash.String(g.seed, cells[g.at])
}

// cells are those of a row at a rank.
func (g *Group) cells(rank int) []string {
	represents := ""
	if rank == g.Best {
		represents = "yes"
	}
	return []string{strconv.Itoa(g.Number), strconv.Itoa(g.Size), strconv.FormatFloat(g.Hits, 'f', 2, 64), represents}
}

// Grouped makes the table have a column to group by, where that is one that is made, and keeps the names
// of the new ones free.
func Grouped(column string, o *ranking.Options) {
	if column == "" {
		return
	}
	o.Extra = slices.Concat(o.Extra, GroupColumns)
	if column == "scaffold" {
		o.Wanted.Scaffold = true
	}
}
