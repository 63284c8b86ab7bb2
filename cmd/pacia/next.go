package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/screen/request"
)

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

// batchText describes the batch, with the number of actives to expect if the probabilities are calibrated.
func (r *ranker) batchText() string {
	h := r.Outcome.Batch
	text := ui.Count(h.First, "molecule")
	if r.calibrated {
		text += fmt.Sprintf(", %.0f of them expected to be active (%d to %d)", h.Expected, h.Low, h.High)
	}
	return text
}
