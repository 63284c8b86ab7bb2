package main

import (
	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// readSupport reads labelled molecules: the support set, or an assay of --against.
func (p *prediction) readSupport(c *cobra.Command, file string) (*ranking.Support, error) {
	o := p.read(c)
	if p.named != "" {
		o.SMILES, o.Elsewhere = p.named, false
	}
	return ranking.ReadSupport(c.Context(), file, o, p.tasks)
}

// besideAgainst lists flags that --against excludes, such as those about probabilities in one assay.
var besideAgainst = []beside{{flag: "against", none: []string{"prior", "potency", "shards", "batch"}}}

// understood returns lines on how the files were interpreted.
func (p *prediction) understood(s *ranking.Support, r *ranker) []string {
	read := screen.FindingsOfBoth(s, p.labelling.Columns != "", r.Table)
	for _, a := range r.Against {
		read = append(read, screen.Findings(a.Support, p.labelling.Columns != "")...)
	}
	if r.outcome != nil {
		read = append(read, screen.Findings(r.outcome.file, p.labelling.Columns != "")...)
	}
	return read
}

// columnThere refuses a --smiles that names a column of no file.
func (p *prediction) columnThere(s *ranking.Support, t *ranking.Table) error {
	if !t.Missed() || !s.Missed && p.named == "" {
		return nil
	}
	return &badinput.Error{What: "no file has the column " + badinput.Quote(p.reading.SMILES) + " of --smiles", Fix: "the molecules may be in " + badinput.Quote(t.Column) + " of " + t.Files()[0]}
}
