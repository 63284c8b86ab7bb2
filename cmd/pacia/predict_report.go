package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"pacia/data/standard"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

func (p *prediction) origin(meta checkpoint.Meta) string {
	if p.Method != "" {
		return p.Method + ", which learns from the support set alone"
	}
	if n := len(p.Checkpoints); n > 1 {
		return fmt.Sprintf("mean of %d models: %s; %s", n, strings.Join(p.Checkpoints, ", "), origin(p.Checkpoints[0], meta))
	}
	return origin(p.checkpoint(), meta)
}

func (p *prediction) report(out io.Writer, trained string, s *ranking.Support, r *ranker, took time.Duration) error {
	counts := s.Counts()
	if p.JSON {
		return ui.JSON(out, p.reported(trained, s, r, took))
	}
	w := ui.NewTable(out)
	w.Line("model\t%s", trained)
	w.Line("support\t%s inactive and %s active molecules by column %q of %s",
		ui.Grouped(counts[0]), ui.Grouped(counts[1]), s.Column, s.File)
	for _, a := range r.Against {
		counts := a.Support.Counts()
		w.Line("against\t%s inactive and %s active molecules by column %q of %s: column probability_%s",
			ui.Grouped(counts[0]), ui.Grouped(counts[1]), a.Support.Column, a.Support.File, a.Name)
	}
	if s.Scale != nil {
		w.Line("potency\t%s", potencyText(s))
	}
	for _, line := range r.Panel.Lines() {
		w.Line("%s\t%s", line[0], line[1])
	}
	if hits := r.expected.Hits(); len(hits) > 0 {
		w.Line("actives\texpected %s%s", screen.FormatHits(hits), p.wherePrior())
	}
	first := ""
	if p.Top > 0 && p.Top < r.Spill.Len() {
		first = fmt.Sprintf(", the first %s of them", ui.Grouped(p.Top))
	}
	w.Line("ranked\t%s molecules in %s%s: %s", ui.Grouped(r.Spill.Len()), ui.Seconds(took.Seconds()), first, outName(p.Out))
	if r.Refined > 0 && r.Refined < r.Spill.Len() {
		w.Line("refined\tthe first %s of them by vectors of MiniMol as well", ui.Grouped(r.Refined))
	}
	if p.shards.plan != nil {
		w.Line("parts\t%d", len(p.shards.plan.Parts))
		w.Line("scores\t%s", scoresText(&r.Spill.Scores, screen.Shown(s, p.Share())))
	}
	if p.Report != "" {
		w.Line("page\t%s", p.Report)
	}
	if read := r.readAs(); read != "" {
		w.Line("read as\t%s", read)
	}
	r.reportFilters(w)
	if file := p.invalidFile(); file != "" {
		w.Line("unread\t%s: %s", ui.Grouped(r.Invalid.Len()), file)
	} else {
		w.Line("unread\t%s, which are listed where --out is a file", ui.Grouped(r.Invalid.Len()))
	}
	if p.Batch > 0 {
		w.Line("batch\t%s", r.batchText())
		if lack := r.Lack(p.Batch); lack != "" {
			w.Line("\t%s", lack)
		}
		if r.Outcome.Changed != "" {
			w.Line("changed\t%s", r.Outcome.Changed)
		}
	} else if n := len(r.Spill.Picked); n > 0 {
		w.Line("picks\t%s of the first %s: column pick", ui.Count(n, "dissimilar molecule"), ui.Grouped(r.Pool))
	}
	if r.Groups != nil {
		n, largest := r.Groups.Len()
		w.Line("groups\t%s by column %s, the largest of %s; %s in none", ui.Grouped(n), r.Groups.Column, ui.Count(largest, "molecule"), ui.Count(r.Groups.Alone, "molecule"))
	}
	if names := r.names(); len(names) > 0 {
		w.Line("first\t%s", strings.Join(names, ", "))
	}
	if r.outcome != nil {
		w.Line("hits\t%s", r.outcome.hits())
	}
	return w.Flush()
}

// reportFilters writes a line for each filter of the library, below one for all of them.
func (r *ranker) reportFilters(w *ui.Table) {
	if len(r.Outcome.Filters) > 0 {
		w.Line("left out\t%s in all%s", ui.Count(r.LeftOut, "molecule"), r.Skipped)
	}
	for _, f := range r.Outcome.Filters {
		w.Line("left out\t%s", f)
	}
}

// wherePrior returns the condition of the expected hits: without --prior, actives are as common as
// in the support set.
func (p *prediction) wherePrior() string {
	if p.Share() > 0 {
		return ""
	}
	return ", if they are as common as in the support set (--prior)"
}

// reported is the report as JSON.
type reported struct {
	Model   string `json:"model"`
	Support struct {
		File     string `json:"file"`
		Column   string `json:"column"`
		Inactive int    `json:"inactive"`
		Active   int    `json:"active"`
	} `json:"support"`
	Against  []against              `json:"against,omitempty"` // assays in which molecules should be inactive
	Trust    trust.Figures          `json:"trust"`
	Expected []metrics.ExpectedHits `json:"expected,omitempty"` // actives among the first molecules
	Ranked   int                    `json:"ranked"`
	Refined  int                    `json:"refined,omitempty"` // first molecules scored with vectors of MiniMol; 0: all, or a model without them
	Unread   int                    `json:"unread"`
	LeftOut  int                    `json:"left_out,omitempty"` // by all filters
	Filters  []ranking.Filtered     `json:"filters,omitempty"`  // what each of --match, --exclude and --where left out
	Changes  standard.Changes       `json:"changes"`            // to molecules before the model saw them
	Out      string                 `json:"out"`
	Invalid  string                 `json:"invalid,omitempty"` // the list of unreadable molecules
	Page     string                 `json:"report,omitempty"`
	Seconds  float64                `json:"seconds"`
	First    []string               `json:"first,omitempty"`   // names; of pacia next, of the batch
	Picks    int                    `json:"picks,omitempty"`   // rows with a value in the column pick
	Batch    *metrics.ExpectedHits  `json:"batch,omitempty"`   // of pacia next; nil if probabilities are not calibrated
	Lack     string                 `json:"lack,omitempty"`    // why the batch has fewer molecules than were asked for
	Changed  string                 `json:"changed,omitempty"` // since the round before
	Hits     *hits                  `json:"hits,omitempty"`
	Parts    int                    `json:"parts,omitempty"` // of --shards
	Scores   *spreadScores          `json:"scores,omitempty"`
}

// spreadScores is the distribution of the probabilities of a library that was ranked in parts.
type spreadScores struct {
	Low       float64            `json:"low"`
	High      float64            `json:"high"`
	Quantiles map[string]float64 `json:"quantiles"` // by their shares
}

// shares lists the quantiles of scores that are reported.
var shares = []float64{0.5, 0.9, 0.99, 0.999}

// scoresText returns a text such as "0.02 to 0.97; 50 % below 0.31, 90 % below 0.55".
func scoresText(s *ranking.Scores, shown func(float32) float64) string {
	if s.Rows == 0 {
		return "none"
	}
	text := fmt.Sprintf("%.3g to %.3g", shown(s.Low), shown(s.High))
	for i, share := range shares {
		text += fmt.Sprintf("%s %v %% below %.3g", map[bool]string{true: ";", false: ","}[i == 0], 100*share, shown(s.Quantile(share)))
	}
	return text
}

// hits are the counts of --outcome.
type hits struct {
	First   int `json:"first"`  // ranked molecules with a known label that are counted
	Active  int `json:"active"` // of these
	Known   int `json:"known"`  // ranked molecules with a known label
	Actives int `json:"actives"`
}

// against is an assay in which molecules should be inactive.
type against struct {
	File     string `json:"file"`
	Name     string `json:"name"` // suffix of its column
	Inactive int    `json:"inactive"`
	Active   int    `json:"active"`
}

func (p *prediction) reported(trained string, s *ranking.Support, r *ranker, took time.Duration) reported {
	counts := s.Counts()
	v := reported{
		Expected: r.expected.Hits(),
		Model:    trained, Trust: r.Panel.Figures(), Ranked: r.Spill.Len(), Unread: r.Invalid.Len(), LeftOut: r.LeftOut, Filters: r.Outcome.Filters,
		Changes: r.Changes, Out: p.Out, Invalid: p.invalidFile(), Page: p.Report,
		Seconds: took.Seconds(), First: r.names(), Picks: len(r.Spill.Picked),
	}
	v.Support.File, v.Support.Column, v.Support.Inactive, v.Support.Active = s.File, s.Column, counts[0], counts[1]
	for _, a := range r.Against {
		counts := a.Support.Counts()
		v.Against = append(v.Against, against{a.Support.File, a.Name, counts[0], counts[1]})
	}
	if p.Batch > 0 {
		v.Changed, v.Lack = r.Outcome.Changed, r.Lack(p.Batch)
		if r.calibrated {
			v.Batch = &r.Outcome.Batch
		}
	}
	if r.Refined < v.Ranked {
		v.Refined = r.Refined
	}
	if p.shards.plan != nil {
		v.Parts = len(p.shards.plan.Parts)
	}
	if all := &r.Spill.Scores; v.Parts > 0 && all.Rows > 0 {
		shown := screen.Shown(s, p.Share())
		v.Scores = &spreadScores{shown(all.Low), shown(all.High), map[string]float64{}}
		for _, share := range shares {
			v.Scores.Quantiles[fmt.Sprint(share)] = shown(all.Quantile(share))
		}
	}
	if o := r.outcome; o != nil {
		v.Hits = &hits{o.first, o.found, o.all, o.actives}
	}
	return v
}

func outName(path string) string {
	if path == stdout {
		return "standard output"
	}
	return path
}

// readAs describes how the library's molecules were changed before the model saw them. It is empty
// without changes.
func (r *ranker) readAs() string {
	var all []string
	for _, n := range r.Changes.Notes("--as-drawn") {
		all = append(all, n.String())
	}
	return strings.Join(all, ", ")
}

// warnUnread writes a warning if most molecules of the library cannot be read.
func warnUnread(w io.Writer, r *ranker) {
	if unread, all := r.Invalid.Len(), r.Invalid.Len()+r.Spill.Len(); 2*unread > all {
		ui.Say(w, "%s: warning: %s of %s molecules cannot be read, and are not ranked\n", r.Table.Files()[0], ui.Grouped(unread), ui.Grouped(all))
	}
}
