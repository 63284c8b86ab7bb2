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
	"pacia/internal/ui"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// prediction is one call of pacia predict.
type prediction struct {
	support     []string // files that are read as one
	out         string
	checkpoints []string // empty: the model that ships
	candidates  []string
	method      string   // a method without training, in place of a checkpoint
	against     []string // support files of assays in which molecules should be inactive
	outcome     string
	unwanted    []*labelled // parsed from against
	known       *labelled   // parsed from outcome; nil without it
	rows        []string    // conditions on rows of labelled molecules
	reading     reading     // of all files
	labelling   labelling
	tasks       label.Tasks // parsed from labelling
	named       string      // column of the molecules in the support file, if it differs
	largest     bool        // only the largest fragment of a molecule counts
	drawn       bool        // molecules are read as drawn
	repeats     string      // merge | keep
	onInvalid   string      // skip | fail
	share       string      // of actives among the candidates, as text
	prior       float64     // share as a number; 0: the share of the support set
	potency     string      // column of measurements that are learnt as numbers; empty: labels are learnt
	next        nextBatch   // of pacia next
	json        bool        // the report is one JSON object
	bom         bool        // CSV files begin with a byte order mark
	top         int         // number of rows to write; 0: all
	diverse     int         // number of rows to pick; 0: none
	refined     bool        // --refine was given
	refine      int         // first molecules that are scored with vectors of a pretrained encoder; 0: all; screen.Usual
	reasons     int         // number of the first molecules with reasons; 0: none
	group       string      // column to group rows by
	columns     []string    // groups of columns to compute
	wanted      ranking.Wanted
	page        string // HTML file of the report, or empty
	shards      sharding
	settings    config.Options
}

// checkpoint returns the first checkpoint, or "" for the model that ships.
func (p *prediction) checkpoint() string {
	if len(p.checkpoints) == 0 {
		return ""
	}
	return p.checkpoints[0]
}

func newPredict() *cobra.Command {
	var p prediction
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
			if len(p.candidates) > 0 {
				return nil // a shell expands one pattern to several names
			}
			return noArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			p.candidates = append(p.candidates, args...)
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
	if err := cmp.Or(need(c, "support", "candidates", "out"), refuseEmpty(c), p.checkPotency(), p.parseAssays()); err != nil {
		return err
	}
	if c.Flags().Changed("prior") && c.Flags().Changed("share") {
		return &badinput.Error{What: "--share is called --prior now, and both are given", Fix: "leave out --share"}
	}
	if p.method != "" && len(p.checkpoints) > 0 {
		return &badinput.Error{What: "--method takes the place of a trained model", Fix: "leave out --method or --checkpoint"}
	}
	if p.method != "" && !slices.Contains(untrained(), p.method) {
		return &badinput.Error{What: fmt.Sprintf("--method %q is not a method without training", p.method), Fix: "write " + strings.Join(untrained(), ", ")}
	}
	if p.onInvalid != "skip" && p.onInvalid != "fail" {
		return &badinput.Error{What: fmt.Sprintf("--on-invalid %q is not known", p.onInvalid), Fix: "write skip or fail"}
	}
	if c.Flags().Changed("top") && p.top < 1 {
		return &badinput.Error{What: fmt.Sprintf("--top %d is out of range", p.top), Fix: "write 1 or more"}
	}
	if c.Flags().Changed("share") {
		ui.Say(c.ErrOrStderr(), "--share is called --prior now\n")
	}
	if p.refined = c.Flags().Changed("refine"); p.refined && p.refine < 0 {
		return &badinput.Error{What: fmt.Sprintf("--refine %d is not a number of molecules", p.refine), Fix: "write 0 or more"}
	}
	if c.Flags().Changed("reasons") && (p.reasons < 1 || p.reasons > why.Most) {
		return &badinput.Error{What: fmt.Sprintf("--reasons %d is out of range", p.reasons), Fix: fmt.Sprintf("write 1 to %d", why.Most)}
	}
	var err error
	if p.prior, err = screen.ParseShare("--prior", p.share); err != nil {
		return err
	}
	if err := ranking.CheckRepeats(p.repeats); err != nil {
		return err
	}
	if c.Flags().Changed("diverse") && (p.diverse < 1 || p.diverse > screen.MostPicks) {
		return &badinput.Error{What: fmt.Sprintf("--diverse %d is out of range", p.diverse), Fix: fmt.Sprintf("write 1 to %d", screen.MostPicks)}
	}
	if p.page == stdout || strings.HasSuffix(p.page, ".gz") {
		return &badinput.Error{What: "--report " + p.page + ": the page is written to a file as it is", Fix: "write a name such as ranked.html"}
	}
	if err := checkPlain("--out", "the ranked table", p.out); err != nil {
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
	err = cmp.Or(p.checkWanted(c), p.shards.check(c, p), checkBeside(c, besideAgainst), p.reading.check(p.files()))
	if err != nil {
		return err
	}
	return checkOutputs(p.outputs(), append(p.inputs(), settingFiles(p.settings)...)...)
}

// files returns the files of molecules, with an empty name for one that is not given.
func (p *prediction) files() []string {
	files := append(slices.Clone(p.support), p.next.before)
	for _, of := range p.beside() {
		if !slices.Contains(files, of.file) { // several assays of one file
			files = append(files, of.file)
		}
	}
	return slices.Concat(files, p.candidates)
}

// run reads the support set, ranks the candidates, and writes the table, the page and
// the report.
func (p *prediction) run(c *cobra.Command) error {
	begun := time.Now()
	s, err := p.readSupport(c, p.support...)
	if err != nil {
		return err
	}
	r, err := p.newRanker(c, s, p.read(c), c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer r.Close()
	defer p.shards.close()
	if err := cmp.Or(p.readAgainst(c, s, r), p.columnThere(s, r.Table), p.readBefore(c)); err != nil {
		return err
	}
	var trained string
	var read []string
	err = p.withModels(func(members []*model.Model, meta checkpoint.Meta, cfg config.Config) error {
		trained, r.Tasks = p.origin(meta), meta.Tasks.Train
		if err := p.learnt(c.Context(), r, members, cfg); err != nil {
			return err
		}
		read = p.understood(s, r)
		printLines(c.ErrOrStderr(), read)
		defer r.done.Close()
		return p.rank(c, r, members, cfg)
	})
	if err != nil || p.shards.part >= 0 {
		return err
	}
	if err := r.Readable(c.Context()); err != nil {
		return errors.Join(err, p.writeAlone(r))
	}
	warnUnread(c.ErrOrStderr(), r)
	if r.filters, err = r.Filters(c.Context()); err != nil {
		return err
	}
	r.Spill.Top, r.shownAs = p.top, screen.Shown(s, p.prior)
	if err := p.picks(c, r, s); err != nil {
		return err
	}
	if p.page != "" {
		r.shown = r.Collect(r.shownAs)
	}
	if err := p.write(c, r, func(f io.Writer) error { return p.writePage(c.Context(), f, r, trained, read) }); err != nil {
		return err
	}
	if p.out == stdout {
		return p.report(c.ErrOrStderr(), trained, s, r, time.Since(begun))
	}
	if p.shards.plan != nil {
		if err := p.shards.plan.Remove(); err != nil {
			return err
		}
	}
	return p.report(c.OutOrStdout(), trained, s, r, time.Since(begun))
}
