package main

import (
	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/screen/ranking"
)

// readSupport reads the support set.
func (p *prediction) readSupport(c *cobra.Command) (*ranking.Support, error) {
	o := p.read(c)
	if p.named != "" {
		o.SMILES, o.Elsewhere = p.named, false
	}
	return ranking.ReadSupport(c.Context(), p.support, o, p.tasks)
}

// columnThere refuses a name of the molecules' column that no file has.
func (p *prediction) columnThere(s *ranking.Support, t *ranking.Table) error {
	if !t.Missed() || !s.Missed && p.named == "" {
		return nil
	}
	return &badinput.Error{What: "no file has the column " + badinput.Quote(p.reading.SMILES) + " of --smiles", Fix: "the molecules may be in " + badinput.Quote(t.Column) + " of " + t.Files()[0]}
}
