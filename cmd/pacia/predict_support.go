package main

import (
	"slices"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// readSupport reads labelled molecules: the support set, or that of the round before.
func (p *prediction) readSupport(c *cobra.Command, files ...string) (*ranking.Support, error) {
	o := p.SupportOptions(true)
	o.Stdin = c.InOrStdin()
	return ranking.ReadSupports(c.Context(), files, o, p.tasks)
}

// againstReader returns a function that reads an unwanted assay. None may be that of the support set s, or given twice.
func (p *prediction) againstReader(c *cobra.Command, s *ranking.Support) func(int) (*ranking.Support, error) {
	var before []*ranking.Support
	return func(i int) (*ranking.Support, error) {
		read, err := p.readLabelled(c, p.unwanted[i], s)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(before, func(b *ranking.Support) bool { return b.SameAssay(read) }) {
			return nil, &badinput.Error{File: read.File, Column: read.Column, What: "is given twice as --against", Fix: "leave out one of them"}
		}
		before = append(before, read)
		return read, nil
	}
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
	return append(read, r.PastRead...)
}
