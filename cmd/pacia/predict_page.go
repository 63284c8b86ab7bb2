package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"pacia/internal/ui"
	"pacia/internal/version"
)

func (p *prediction) writePage(ctx context.Context, f io.Writer, r *ranker, trained string, read []string) error {
	page := r.shown.Page()
	page.Made, page.Model, page.Read = time.Now(), trained, read
	page.Settings = p.pageSettings(r)
	if r.outcome != nil {
		page.Hits = r.outcome.hits()
	}
	return page.Write(ctx, f)
}

// pageSettings returns the names and values that the page lists below the ranking.
func (p *prediction) pageSettings(r *ranker) [][2]string {
	s := r.Support
	counts := s.Counts()
	all := [][2]string{
		{"program", "pacia " + version.Program()},
		{"labels", fmt.Sprintf("column %q of %s: %s active, %s inactive", s.Column, s.File, ui.Grouped(counts[1]), ui.Grouped(counts[0]))},
		{"candidates", strings.Join(p.Library, ", ")},
		{"table", outName(p.Out)},
	}
	if s.Rule != nil {
		all = append(all, [2]string{"active", s.Rule.String()})
	}
	prior := "that of the support set"
	if p.Share() > 0 {
		prior = strconv.FormatFloat(p.Share(), 'g', -1, 64) + " (--prior)"
	}
	all = append(all, [2]string{"share of actives", prior})
	if p.Top > 0 {
		all = append(all, [2]string{"rows in the table", "the first " + ui.Grouped(p.Top)})
	}
	if p.AsDrawn {
		all = append(all, [2]string{"molecules", "as they are drawn"})
	}
	if read := r.readAs(); read != "" {
		all = append(all, [2]string{"molecules", read})
	}
	if p.LargestFragment {
		all = append(all, [2]string{"fragments", "only the largest of each molecule"})
	}
	return all
}
