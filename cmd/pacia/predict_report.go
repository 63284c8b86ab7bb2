package main

import (
	"io"
	"strings"
	"time"

	"pacia/checkpoint"
	"pacia/cmd/pacia/internal/ranking"
	"pacia/internal/ui"
)

// say says what was told from the files, and what is strange about them.
func (p *prediction) say(w io.Writer, s *ranking.Support, candidates *ranking.Table) {
	sayLabels(w, s, p.labels.Column != "")
	for _, rows := range s.Both() {
		ui.Say(w, "%s: %s are one molecule with both labels\n", s.File, rows)
	}
	for _, line := range candidates.Understood() {
		ui.Say(w, "%s\n", line)
	}
}

func (p *prediction) origin(meta checkpoint.Meta) string {
	if p.method != "" {
		return p.method + ", which learns from the support set alone"
	}
	return origin(p.checkpoint, meta)
}

func (p *prediction) report(out io.Writer, trained string, s *ranking.Support, r *ranker, took time.Duration) error {
	counts := s.Counts()
	w := ui.NewTable(out)
	w.Line("model\t%s", trained)
	w.Line("support\t%s inactive and %s active molecules by column %q of %s",
		ui.Grouped(counts[0]), ui.Grouped(counts[1]), s.Column, s.File)
	for _, line := range r.panel.Lines() {
		w.Line("%s\t%s", line[0], line[1])
	}
	w.Line("ranked\t%s molecules in %s: %s", ui.Grouped(r.spill.Len()), ui.Seconds(took.Seconds()), outName(p.out))
	if file := p.invalidFile(); file != "" {
		w.Line("unread\t%s: %s", ui.Grouped(r.invalid.Len()), file)
	} else {
		w.Line("unread\t%s, which are listed where --out is a file", ui.Grouped(r.invalid.Len()))
	}
	if len(r.first) > 0 {
		w.Line("first\t%s", strings.Join(r.first, ", "))
	}
	if r.outcome != nil {
		w.Line("hits\t%s", r.outcome.hits())
	}
	return w.Flush()
}

// outName is what an output is called.
func outName(path string) string {
	if path == stdout {
		return "standard output"
	}
	return path
}
