package assay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// partitions are the rows with values divided by the cells of columns.
type partitions struct {
	*reading
	rowsOf []bool // [n] rows that have a value
	known  map[int][]int32
	texts  map[int][]string
}

// filled returns the rows that have a cell in one of some columns.
func (r *reading) filled(columns []int) []bool {
	has := make([]bool, len(r.SMILES))
	for _, at := range columns {
		for _, cell := range r.column(at) {
			has[cell.Row] = true
		}
	}
	return has
}

// by returns the number of the cell of each row of a column, −1 for an empty one and for a row without a value, and the
// different cells.
func (p *partitions) by(at int) ([]int32, []string) {
	if of, known := p.known[at]; known {
		return of, p.texts[at]
	}
	of, texts, number := make([]int32, len(p.rowsOf)), []string(nil), map[string]int32{}
	for i := range of {
		of[i] = -1
	}
	for _, cell := range p.column(at) {
		if !p.rowsOf[cell.Row] {
			continue
		}
		text := strings.TrimSpace(cell.Text)
		id, known := number[text]
		if !known {
			id = int32(len(texts))
			number[text], texts = id, append(texts, text)
		}
		of[cell.Row] = id
	}
	if p.known == nil {
		p.known, p.texts = map[int][]int32{}, map[int][]string{}
	}
	p.known[at], p.texts[at] = of, texts
	return of, texts
}

// named returns the columns with names of a kind that tell rows apart: at least half of the rows with values have a cell, and
// cells repeat.
func (p *partitions) named(h *label.Header, kind words) (columns []int) {
	n := each.Count(p.rowsOf, func(has bool) bool { return has })
	for at, name := range p.rows.Header {
		if at == p.rows.SMILES || !kind.has(name) || h.Role(at) && !ofAssays.has(name) {
			continue
		}
		of, texts := p.by(at)
		filled := each.Count(of, func(id int32) bool { return id >= 0 })
		if 2*filled >= n && len(texts) > 0 && (len(texts) == 1 || 2*len(texts) <= filled) {
			columns = append(columns, at)
		}
	}
	return columns
}

// refines reports whether rows with one cell in column a have one cell in column b.
func (p *partitions) refines(a, b int) bool {
	return refine(idsOf(p.by(a)), idsOf(p.by(b)))
}

func idsOf(of []int32, _ []string) []int32 { return of }

func refine(a, b []int32) bool {
	to := map[int32]int32{}
	for i, id := range a {
		if id < 0 || b[i] < 0 {
			continue
		}
		if other, known := to[id]; known && other != b[i] {
			return false
		}
		to[id] = b[i]
	}
	return true
}

// assays returns the column that names assays, the finest of several. It returns an error if two divide the rows in
// different ways.
func (p *partitions) assays(columns []int) ([]int, error) {
	best := p.finest(columns)
	for _, at := range columns {
		if !p.refines(best, at) {
			names := badinput.Quote(p.rows.Header[best]) + " or " + badinput.Quote(p.rows.Header[at])
			return nil, &badinput.Error{File: p.File, What: "rows may be of the assays of column " + names,
				Fix: fmt.Sprintf(`write --history "%s:%s with the one that counts`, p.File, badinput.Quote(p.rows.Header[best])[1:])}
		}
	}
	return p.add(nil, best), nil
}

// finest returns the column with the most different cells, of several the one with names; −1 for none.
func (p *partitions) finest(columns []int) int {
	if len(columns) == 0 {
		return -1
	}
	return slices.MinFunc(columns, func(a, b int) int {
		_, x := p.by(a)
		_, y := p.by(b)
		named := func(at int) bool { return slices.Contains(nameWords(p.rows.Header[at]), "name") }
		return cmp.Or(len(y)-len(x), first(named(a), named(b)), first(called(p.rows.Header[a]), called(p.rows.Header[b])), a-b)
	})
}

// add appends a column to those by which rows are divided, unless they already tell its cells apart.
func (p *partitions) add(by []int, at int) []int {
	if at < 0 {
		return by
	}
	if len(by) > 0 {
		if of, _ := p.of(by); refine(of, idsOf(p.by(at))) {
			return by
		}
	}
	return append(slices.Clone(by), at)
}

// of returns the assay of each row, −1 for none, and the names of the assays, by the cells of some columns.
func (p *partitions) of(by []int) (of []int32, names []string) {
	of = slices.Clone(idsOf(p.by(by[0])))
	names = p.texts[by[0]]
	for _, at := range by[1:] {
		number, joined := map[[2]int32]int32{}, []string(nil)
		further, texts := p.by(at)
		for i, id := range of {
			if id < 0 {
				continue
			}
			pair := [2]int32{id, further[i]}
			to, known := number[pair]
			if !known {
				to = int32(len(joined))
				name := names[id]
				if further[i] >= 0 {
					name += ", " + texts[further[i]]
				}
				number[pair], joined = to, append(joined, name)
			}
			of[i] = to
		}
		names = joined
	}
	return of, names
}
