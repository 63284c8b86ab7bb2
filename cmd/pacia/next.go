package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/screen/ranking"
	"pacia/screen/request"
)

// nextBatch is the result of pacia next.
type nextBatch struct {
	earlier  *ranking.Support // of Before; nil without it
	expected metrics.ExpectedHits
	changed  string // since the round before
}

const nextHelp = `Choose what to measure next, from what is measured so far and a library.

The support file has the molecules measured so far, with labels or, by --potency, with
measurements. The model learns them and ranks the library. The batch is the best
molecules that are not in the support file: --out has them with rank, probability and
pick, their order. Add their results to the support file and run pacia next again.

--explore adds so many times the uncertainty to the log-odds, so that molecules unlike
those measured come earlier. It is 0 by default: in simulated rounds on FS-Mol's
validation assays no other value found more actives (docs/lab/potency.md).

--before names the support file of the last round, and reports the results since then.`

func newNext() *cobra.Command {
	p := prediction{Request: request.New()}
	p.Batch = 8
	c := &cobra.Command{
		Use:   "next",
		Short: "Choose what to measure next, from what is measured so far and a library",
		Long:  nextHelp,
		Example: `  pacia next --support measured.csv --candidates library.csv.gz --batch 8 --out next.csv
  pacia next --support round2.csv --before round1.csv --candidates library.csv.gz --batch 8 --out next.csv`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cmp.Or(p.checkNext(c), p.check(c)); err != nil {
				return err
			}
			defer leaveWhenAsked()()
			return p.run(c)
		},
	}
	p.flags(c)
	return c
}

func checkExplore(factor float64) error {
	if factor >= 0 && factor <= 1000 { // NaN is not
		return nil
	}
	return &badinput.Error{What: fmt.Sprintf("--explore %v is out of range", factor), Fix: "write 0 to 1000"}
}

// checkNext refuses flags of predict alone.
func (p *prediction) checkNext(c *cobra.Command) error {
	for _, field := range onlyPredict() {
		if c.Flags().Changed(field.Name) {
			return &badinput.Error{What: "--" + field.Name + " is a flag of pacia predict", Fix: "leave it out"}
		}
	}
	return nil
}

// picks groups the ranked molecules by --group, and chooses the picks of --diverse or the batch of
// pacia next.
func (p *prediction) picks(c *cobra.Command, r *ranker, s *ranking.Support) (err error) {
	shown := r.shownAs
	if !r.calibrated {
		shown = nil
	}
	if p.Group != "" {
		if err := r.Group(p.Group, shown); err != nil {
			return err
		}
	}
	if p.Diverse > 0 {
		return r.Pick(c.Context(), p.Diverse)
	}
	n := &p.next
	if p.Batch == 0 {
		return nil
	}
	if n.expected, err = r.Batch(c.Context(), p.Batch, p.Explore, shown); err != nil {
		return err
	}
	if len(r.Spill.Picked) == 0 {
		return &badinput.Error{File: r.Table.Files()[0], What: "there is nothing left to measure: " + r.Lack(p.Batch),
			Fix: "rank a library with other molecules"}
	}
	r.Spill.Top = -1
	if n.earlier != nil {
		n.changed = ranking.KnownOf(n.earlier).Changed(c.Context(), s, p.Before)
	}
	return nil
}

// text describes the batch, with the number of actives to expect if the probabilities are calibrated.
func (n *nextBatch) text(calibrated bool) string {
	h := n.expected
	text := ui.Count(h.First, "molecule")
	if calibrated {
		text += fmt.Sprintf(", %.0f of them expected to be active (%d to %d)", h.Expected, h.Low, h.High)
	}
	return text
}

// readBefore reads the support file of the round before.
func (p *prediction) readBefore(c *cobra.Command) (err error) {
	if p.Before != "" {
		p.next.earlier, err = p.readSupport(c, p.Before)
	}
	return err
}
