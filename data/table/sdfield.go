package table

import (
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// moleculesField returns the name of the data field with the molecules, given the first records; empty if they are in
// the molblocks. A field has them if the user names it, or if all molblocks are empty, as exporters write
// them that have SMILES but no drawing.
func (r *Reader) moleculesField(first []Row, o Options) (string, error) {
	if o.named() {
		if at := Column(r.Header[1:], o.SMILES); at >= 0 {
			return r.Header[1+at], nil
		}
		r.Missed = true
		if !o.Elsewhere {
			return "", r.noField(o)
		}
	}
	if len(first) == 0 || slices.ContainsFunc(first, func(row Row) bool { return !emptyBlock(row.Block) }) {
		return "", nil
	}
	rows := each.Of(first, func(row Row) []string { return append(row.Fields, make([]string, len(r.Header)-len(row.Fields))...) })
	c := moleculesColumn(r.Header, rows, molecules{})
	switch {
	case len(c.equal) > 0:
		return "", &badinput.Error{File: r.Name, Row: 1, What: "the molblocks are empty, and several fields hold molecules: " + badinput.List(c.equal), Fix: "write --smiles with the name of one"}
	case !c.held:
		return "", r.noField(o)
	}
	name := r.Header[c.column]
	if at := slices.Index(r.Header, name); at == c.column && strings.HasSuffix(name, "_2") && strings.EqualFold(name[:len(name)-2], r.Header[0]) {
		name = name[:len(name)-2] // its own name, since the column of the molblocks is left out
	}
	r.Notes = append(r.Notes, note.Note{Text: "the molblocks are empty: molecules in the field " + badinput.Quote(name), Switch: "--smiles"})
	return name, nil
}

// noField returns the error for records without molecules.
func (r *Reader) noField(o Options) error {
	f := &badinput.Error{File: r.Name, Row: 1, What: "the molblocks are empty, and no data field holds SMILES", Fix: "export the structures, or their SMILES as a data field"}
	if fields := r.Header[1:]; len(fields) > 0 {
		f.What += " among " + badinput.List(fields)
	}
	if o.named() {
		f.What, f.Fix = "no data field "+badinput.Quote(o.SMILES)+" among "+badinput.List(r.Header[1:]), "write the name of a field, or leave out --smiles for the molblocks"
	}
	return f
}

// emptyBlock reports whether a molblock has no atoms.
func emptyBlock(block string) bool {
	lines := strings.Split(block, "\n")
	at := rdkit.CountsLine(lines)
	if at < 0 {
		return strings.TrimSpace(block) == "" || len(lines) < 6
	}
	if strings.Contains(lines[at], "V3000") {
		return strings.Contains(block, "COUNTS 0 ") || !strings.Contains(block, "COUNTS")
	}
	return strings.TrimSpace(lines[at][:min(3, len(lines[at]))]) == "0"
}
