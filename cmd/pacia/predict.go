package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/request"
)

// prediction is one call of pacia predict.
type prediction struct {
	request.Request
	perFile  perFile     // options of single files
	unwanted []*labelled // parsed from Against
	known    *labelled   // parsed from Outcome; nil without it
	tasks    label.Tasks // parsed from Labels
	shards   sharding
	settings config.Options
}

// checkpoint returns the first checkpoint, or "" for the model that ships.
func (p *prediction) checkpoint() string {
	if len(p.Checkpoints) == 0 {
		return ""
	}
	return p.Checkpoints[0]
}

func newPredict() *cobra.Command {
	p := prediction{Request: request.New()}
	c := &cobra.Command{
		Use:   "predict",
		Short: "Rank a library of molecules for an assay, from a few labelled ones",
		Long:  predictHelp,
		Example: `  pacia predict --support labelled.csv --candidates library.csv.gz --out ranked.csv
  pacia predict --support labelled.csv --candidates library.csv.gz --out ranked.csv --prior 0.02 --report ranked.html --diverse 24
  pacia predict --support assay.xlsx --label "IC50 (uM)" --active-below 1 --candidates a.sdf --candidates b.smi.gz --out ranked.csv
  pacia predict --checkpoint best.ckpt --support labelled.csv --candidates library.csv.gz --out ranked.csv
  pacia predict --support labelled.csv --candidates library.csv --out ranked.csv --top 10000 --shards 100 --engine slurm --sbatch=--mem=2G`,
		Args: func(c *cobra.Command, args []string) error {
			if len(p.Library) > 0 {
				return nil // a shell expands one pattern to several names
			}
			return noArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			p.Library = append(p.Library, args...)
			if err := p.check(c); err != nil {
				return err
			}
			defer leaveWhenAsked()()
			return p.run(c)
		},
	}
	p.flags(c)
	return c
}

func (p *prediction) check(c *cobra.Command) error {
	if err := cmp.Or(need(c, "support", "candidates", "out"), refuseEmpty(c)); err != nil {
		return err
	}
	if c.Flags().Changed("prior") && c.Flags().Changed("share") {
		return &badinput.Error{What: "--share is called --prior now, and both are given", Fix: "leave out --share"}
	}
	if err := cmp.Or(p.checkFields(c), p.parseAssays()); err != nil {
		return err
	}
	if p.Method != "" && !slices.Contains(untrained(), p.Method) {
		return &badinput.Error{What: fmt.Sprintf("--method %q is not a method without training", p.Method), Fix: "write " + strings.Join(untrained(), ", ")}
	}
	if c.Flags().Changed("share") {
		ui.Say(c.ErrOrStderr(), "--share is called --prior now\n")
	}
	if p.Report == stdout || strings.HasSuffix(p.Report, ".gz") {
		return &badinput.Error{What: "--report " + p.Report + ": the page is written to a file as it is", Fix: "write a name such as ranked.html"}
	}
	if err := checkPlain("--out", "the ranked table", p.Out); err != nil {
		return err
	}
	stdin := 0
	for _, in := range p.files() {
		if in == table.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return &badinput.Error{What: "the standard input can be read once only", Fix: "write - for one file"}
	}
	if err := cmp.Or(p.checkShards(c), p.perFile.into(&p.Reading, p.files())); err != nil {
		return err
	}
	return checkOutputs(p.outputs(), append(p.inputs(), settingFiles(p.settings)...)...)
}

// files returns the files of molecules, with an empty name for one that is not given.
func (p *prediction) files() []string {
	files := append(slices.Clone(p.Support), p.Before)
	for _, of := range p.otherAssays() {
		if !slices.Contains(files, of.file) { // several assays of one file
			files = append(files, of.file)
		}
	}
	return slices.Concat(files, p.Library, each.Of(p.History, pastFile))
}

// run reads the support set, ranks the candidates, and writes the table, the page and
// the report.
func (p *prediction) run(c *cobra.Command) error {
	begun := time.Now()
	s, err := p.readSupport(c, p.Support...)
	if err != nil {
		return err
	}
	r, err := p.newRanker(c, s, p.read(c), c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer r.Close()
	defer p.shards.close()
	var trained string
	var read []string
	err = p.answer(c, r, func(meta checkpoint.Meta) {
		trained, read = p.origin(meta), p.understood(s, r)
		printLines(c.ErrOrStderr(), read)
	})
	switch {
	case errors.Is(err, screen.ErrNothing):
		return errors.Join(err, p.writeAlone(r))
	case err != nil || p.Part >= 0:
		return err
	case p.Batch > 0 && len(r.Spill.Picked) == 0:
		return &badinput.Error{File: r.Table.Files()[0], What: "there is nothing left to measure: " + r.Lack(p.Batch), Fix: "rank a library with other molecules"}
	}
	warnUnread(c.ErrOrStderr(), r)
	if r.Spill.Top = p.Top; p.Batch > 0 {
		r.Spill.Top = -1
	}
	r.shownAs = screen.Shown(s, p.Share())
	if p.Report != "" {
		r.shown = r.Collect(r.shownAs)
	}
	if err := p.write(c, r, func(f io.Writer) error { return p.writePage(c.Context(), f, r, trained, read) }); err != nil {
		return err
	}
	if p.Out == stdout {
		return p.report(c.ErrOrStderr(), trained, s, r, time.Since(begun))
	}
	if p.shards.plan != nil {
		if err := p.shards.plan.Remove(); err != nil {
			return err
		}
	}
	return p.report(c.OutOrStdout(), trained, s, r, time.Since(begun))
}

// answer opens the models and ranks with them; read is called once the support set is read.
func (p *prediction) answer(c *cobra.Command, r *ranker, read func(checkpoint.Meta)) error {
	return p.withModels(func(members []*model.Model, meta checkpoint.Meta, cfg config.Config) error {
		defer r.done.Close()
		r.Tasks, r.calibrated = meta.Tasks.Train, members[0].Traits().Calibrates
		r.expected.Off = len(p.Against) > 0 || !r.calibrated
		return r.Answer(c.Context(), members, func() { read(meta) }, func(members []*model.Model) error {
			return p.rank(c, r, members, cfg)
		})
	})
}
