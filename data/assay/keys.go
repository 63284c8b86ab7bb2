package assay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// keys tell the assays of a long table apart.
type keys struct {
	columns []int
	of      []int32  // [n] assay of each row; −1: none
	names   []string // of the assays
}

// groups returns the positions of rows that are of each assay.
func (k *keys) groups(rows []int32) [][]int {
	of := make([][]int, len(k.names))
	for at, row := range rows {
		if id := k.of[row]; id >= 0 {
			of[id] = append(of[id], at)
		}
	}
	return of
}

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Words of which the names of columns consist that tell assays apart. Each such name has one of the first list, and otherwise
// only words of both.
var (
	ofAssays   = words{"assay assays aid bioassay protocol experiment", "test panel chembl pubchem id ids name no number code title key identifier reg cdd vault short long"}
	ofReadouts = words{"readout endpoint parameter property measurement result analyte", "name type id definition data value title assay column"}
	ofTargets  = words{"target targets protein gene kinase receptor enzyme isoform channel transporter", "name id chembl symbol uniprot accession pref preferred variant assay mutation"}
	ofCells    = words{"cell cells cellline celltype organism species strain bacteria tissue", "line type name id chembl assay target"}
)

type words [2]string

func (w words) has(name string) bool {
	for _, of := range [][]string{strings.FieldsFunc(strings.ToLower(name), apart), nameWords(name)} {
		first, all := false, len(of) > 0
		for _, word := range of {
			begins := slices.Contains(strings.Fields(w[0]), word)
			first, all = first || begins, all && (begins || slices.Contains(strings.Fields(w[1]), word))
		}
		if first && all {
			return true
		}
	}
	return false
}

// wide is the number of columns of labels or measurements above which a table is long only if a column names assays.
const wide = 3

// keysOf returns what tells the assays of a long table apart, nil for a wide one, and the columns that count.
func (r *reading) keysOf(h *label.Header, columns []int) (*keys, []int, error) {
	at, columns, err := r.chosenKey(columns)
	if err != nil {
		return nil, nil, err
	}
	if at < 0 && len(r.options.Labels.Columns) > 0 {
		return nil, columns, nil
	}
	p := partitions{reading: r, rowsOf: r.filled(columns)}
	if at >= 0 {
		return r.long(h, &p, []int{at}, columns)
	}
	assays, err := p.assays(p.named(h, ofAssays))
	if err != nil {
		return nil, nil, err
	}
	found := assays
	if readout := p.finest(p.named(h, ofReadouts)); len(found) > 0 || len(columns) <= wide {
		found = p.add(found, readout)
		for _, kind := range []words{ofTargets, ofCells} {
			found = p.add(found, p.finest(p.named(h, kind)))
		}
	}
	types := slices.ContainsFunc(columns, func(at int) bool { has, _ := h.Beside(at); return has })
	if len(found) == 0 && !(types && len(columns) <= wide) {
		return nil, columns, nil
	}
	return r.long(h, &p, found, columns)
}

// chosenKey returns the column that names assays, −1 for none, and the columns that count, by what the user wrote.
func (r *reading) chosenKey(columns []int) (at int, of []int, err error) {
	at = -1
	for _, name := range r.options.Labels.Columns {
		i := table.Column(r.rows.Header, name)
		switch {
		case i < 0 || i == r.rows.SMILES:
			return at, nil, &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine), What: "no column " + badinput.Quote(name) + " of past assays",
				Fix: "write one of " + badinput.List(r.rows.Header)}
		case slices.Contains(columns, i) && !ofAssays.has(name):
			of = append(of, i)
		default:
			at = i
		}
	}
	if len(of) == 0 {
		of = each.If(columns, func(i int) bool { return i != at })
	}
	return at, of, nil
}

// long returns the keys of a long table by some columns. Of its other columns those count beside which are types, or
// otherwise units, and those of labels.
func (r *reading) long(h *label.Header, p *partitions, by, columns []int) (*keys, []int, error) {
	var typed, owned, labels, rest []int
	for _, at := range columns {
		words, _, _ := label.CountCells(r.column(at))
		types, others := h.Beside(at)
		switch {
		case slices.Contains(by, at) || kindOf(r.rows.Header[at]) != OfOthers && words == len(r.column(at)):
		case words == len(r.column(at)):
			labels = append(labels, at)
		case types:
			typed = append(typed, at)
		case others:
			owned = append(owned, at)
		default:
			rest = append(rest, at)
		}
	}
	values := slices.Concat(owned, rest)
	if len(owned) > 0 {
		values = owned
	}
	if len(typed) > 0 {
		values = typed
	}
	columns = append(labels, values...)
	slices.Sort(columns)
	k := &keys{columns: by, of: make([]int32, len(r.SMILES))}
	if len(by) == 0 {
		k.names = []string{""}
		return k, columns, nil
	}
	k.of, k.names = p.of(by)
	return k, columns, nil
}

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
				Fix: fmt.Sprintf("write --history %s with the one that counts", badinput.Quote(p.File+":"+p.rows.Header[best]))}
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
