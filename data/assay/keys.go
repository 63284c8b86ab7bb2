package assay

import (
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

// Words in names of columns that tell assays apart. Each such name has one of the first list, and otherwise only words of
// both.
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
