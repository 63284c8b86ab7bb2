package main

import (
	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// readSupport reads labelled molecules: the support set, or that of the round before.
func (p *prediction) readSupport(c *cobra.Command, files ...string) (*ranking.Support, error) {
	o := p.read(c)
	if p.SupportSMILES != "" {
		o.SMILES, o.Elsewhere = p.SupportSMILES, false
	}
	return ranking.ReadSupports(c.Context(), files, o, p.tasks)
}

// readAgainst reads the unwanted assays. None may be that of the support set s, or given twice.
func (p *prediction) readAgainst(c *cobra.Command, s *ranking.Support, r *ranker) error {
	names, err := p.names()
	if err != nil {
		return err
	}
	return r.ReadAgainst(names, func(i int) (*ranking.Support, error) {
		read, err := p.readLabelled(c, p.unwanted[i], s)
		if err != nil {
			return nil, err
		}
		for _, before := range r.Against {
			if before.Support.SameAssay(read) {
				return nil, &badinput.Error{File: read.File, Column: read.Column, What: "is given twice as --against", Fix: "leave out one of them"}
			}
		}
		return read, nil
	})
}

// understood returns lines on how the files were interpreted.
func (p *prediction) understood(s *ranking.Support, r *ranker) []string {
	read := screen.FindingsOfBoth(s, p.Labels.Columns != "", r.Table)
	for _, a := range r.Against {
		read = append(read, screen.Findings(a.Support, p.Labels.Columns != "")...)
	}
	if r.outcome != nil {
		read = append(read, screen.Findings(r.outcome.file, p.Labels.Columns != "")...)
	}
	return read
}

// columnThere refuses a --smiles that names a column of no file.
func (p *prediction) columnThere(s *ranking.Support, t *ranking.Table) error {
	if !t.Missed() || !s.Missed && p.SupportSMILES == "" {
		return nil
	}
	return &badinput.Error{What: "no file has the column " + badinput.Quote(p.Reading.SMILES) + " of --smiles", Fix: "the molecules may be in " + badinput.Quote(t.Column) + " of " + t.Files()[0]}
}
