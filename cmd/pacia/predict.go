package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pacia/checkpoint"
	"pacia/cmd/pacia/internal/ranking"
	"pacia/config"
	"pacia/data"
	"pacia/durable"
	"pacia/evaluate"
	"pacia/fault"
	"pacia/model"
	"pacia/table"
	"pacia/trust"
)

// prediction is one call of pacia predict.
type prediction struct {
	checkpoint, support, out string
	candidates               []string
	method                   string // in place of a checkpoint, one that needs none
	outcome                  string
	reading                  reading // of all files
	labelling                labelling
	labels                   ranking.Labels // what labelling says
	largest                  bool           // fragments only
	onInvalid                string         // skip | fail
	share                    float64        // of actives among the candidates; 0: that of the support set
	json                     bool           // the report is one JSON object
	top                      int            // rows that are written; 0: all
	settings                 config.Options
}

func newPredict() *cobra.Command {
	var p prediction
	c := &cobra.Command{
		Use:   "predict",
		Short: "Rank a library of molecules for an assay, from a few labelled ones",
		Long: `Rank a library of molecules for an assay, from a few labelled ones.

Files may be CSV or other separated text, lists of SMILES, SD files and Excel's
workbooks (.xlsx), packed by gzip or not; - is the standard input or output. What
separates cells, the encoding and the like are told from the file, and said.

The support file has molecules and a column of labels: 1 or 0, yes or no, active or
inactive, + or -; or measurements, with --active-below 1 --unit uM. One molecule of
each class is enough, ten are better. The candidates' columns are kept, and rank,
probability (of being active), depth (layers of the relation graph that were used) and
in_support (its label, where the candidate is in the support file) are added, and
which support molecules are nearest, where the model reads fingerprints. Molecules
that cannot be read are listed in a file beside it: ranked.invalid.csv for ranked.csv.

Without --checkpoint the model that ships is taken: it is part of the program and
was trained on FS-Mol's assays; docs/model.md says what it can do.

With --method similarity, or another method that needs no training, the same is done
by what one would use otherwise, to compare with. With --outcome the actives among
the first are counted, where they are known.

Probabilities are those of a library in which actives are as frequent as in the
support file. In most they are rarer: --share 0.02 says that 2 % of the candidates
are expected to be active. It changes the probabilities, and never the ranks.`,
		Example: `  pacia predict --support labelled.csv --candidates library.csv.gz --out ranked.csv
  pacia predict --support labelled.csv --candidates library.csv.gz --out ranked.csv --share 0.02
  pacia predict --support assay.xlsx --label "IC50 (uM)" --active-below 1 --candidates a.sdf --candidates b.smi.gz --out ranked.csv
  pacia predict --checkpoint best.ckpt --support labelled.csv --candidates library.csv.gz --out ranked.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(p.candidates) > 0 {
				return nil // a shell makes several names of one pattern
			}
			return noArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			p.candidates = append(p.candidates, args...)
			if err := p.check(c); err != nil {
				return err
			}
			defer leaveWhenAsked(c.ErrOrStderr())()
			return p.run(c)
		},
	}
	f := c.Flags()
	f.StringVar(&p.checkpoint, "checkpoint", "", "trained model, a `FILE` such as best.ckpt (default the model that ships)")
	f.StringVar(&p.support, "support", "", "labelled molecules, a `FILE`: CSV, SMILES, SD, xlsx")
	f.StringArrayVar(&p.candidates, "candidates", nil, "molecules to rank, a `FILE`: CSV, SMILES, SD, xlsx; several with the flag or the name repeated")
	f.StringVar(&p.out, "out", "", "ranked molecules, a CSV `FILE`")
	f.StringVar(&p.method, "method", "", "in place of a model, one of `"+strings.Join(untrained(), ", ")+"`, which learn from the support file alone")
	f.StringVar(&p.outcome, "outcome", "", "labels that are known of the candidates, a `FILE`: counts the actives among the first 20")
	p.reading.add(c)
	p.labelling.add(c)
	f.BoolVar(&p.largest, "largest-fragment", false, "of molecules of several fragments, such as salts, only the largest counts")
	f.StringVar(&p.onInvalid, "on-invalid", "skip", "molecules that cannot be read: `skip` or fail")
	f.Float64Var(&p.share, "share", 0, "the `SHARE` of actives expected among the candidates, such as 0.02 (default that of the support file)")
	f.IntVar(&p.top, "top", 0, "how `MANY` of the first ranks are written (default all)")
	f.BoolVar(&p.json, "json", false, "the report as one JSON object")
	f.StringVar(&p.settings.Device, "device", "", "cpu, cuda or cuda:N (default cpu)")
	addSet(c, &p.settings)
	return c
}

// check reports what is wrong with the flags.
func (p *prediction) check(c *cobra.Command) error {
	if err := need(c, "support", "candidates", "out"); err != nil {
		return err
	}
	if p.method != "" && p.checkpoint != "" {
		return &fault.Error{What: "--method takes the place of a trained model", Fix: "leave out --method or --checkpoint"}
	}
	if p.method != "" && !slices.Contains(untrained(), p.method) {
		return &fault.Error{What: fmt.Sprintf("--method %q is none that needs no training", p.method), Fix: "write " + strings.Join(untrained(), ", ")}
	}
	if p.onInvalid != "skip" && p.onInvalid != "fail" {
		return &fault.Error{What: fmt.Sprintf("--on-invalid %q is not known", p.onInvalid), Fix: "write skip or fail"}
	}
	if c.Flags().Changed("top") && p.top < 1 {
		return &fault.Error{What: fmt.Sprintf("--top %d is no number of ranks", p.top), Fix: "write 1 or more"}
	}
	if c.Flags().Changed("share") && !(p.share > 0 && p.share < 1) {
		return &fault.Error{What: fmt.Sprintf("--share %v is no share of actives", p.share), Fix: "write a number between 0 and 1, such as 0.02"}
	}
	if strings.HasSuffix(p.out, ".gz") {
		return &fault.Error{What: "--out " + p.out + ": the ranked table is written as plain CSV", Fix: "leave out .gz"}
	}
	stdin := 0
	for _, in := range append([]string{p.support, p.outcome}, p.candidates...) {
		if in == table.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return &fault.Error{What: "the standard input can be read once only", Fix: "write - for one file"}
	}
	if err := p.reading.Check(); err != nil {
		return err
	}
	var err error
	if p.labels, err = p.labelling.labels(); err != nil {
		return err
	}
	return checkOutputs(p.outputs(), append([]string{p.support, p.checkpoint, p.outcome}, p.candidates...)...)
}

// outputs are the files that will be written.
func (p *prediction) outputs() []output {
	if p.out == stdout {
		return nil
	}
	all := []output{{"--out", p.out}}
	if file := p.invalidFile(); file != "" {
		all = append(all, output{"the list of unreadable molecules,", file})
	}
	return all
}

// stdout is the name of an output that stands for the standard output.
const stdout = "-"

// read are the options by which files are read.
func (p *prediction) read(c *cobra.Command) ranking.Options {
	return ranking.Options{Options: p.reading.Options, Stdin: c.InOrStdin(), Largest: p.largest}
}

// run reads the support set, ranks the candidates, and then writes all there
// is to write.
func (p *prediction) run(c *cobra.Command) error {
	begun := time.Now()
	s, err := ranking.ReadSupport(p.support, p.read(c), p.labels)
	if err != nil {
		return err
	}
	r, err := p.newRanker(p.read(c), c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer r.close()
	var trained string
	err = p.withModel(func(m *model.Model, meta checkpoint.Meta, cfg config.Config) error {
		trained = p.origin(meta)
		batch, err := p.parseSupport(s, m.Config())
		if err != nil {
			return err
		}
		p.say(c.ErrOrStderr(), s, r.table)
		r.known = ranking.KnownOf(s)
		adapted, err := m.Adapt(batch)
		if err != nil {
			return err
		}
		defer adapted.Drop()
		if r.panel, err = trust.New(c.Context(), m, s.SMILES, s.Labels); err != nil {
			return err
		}
		if evaluate.Fingerprinted(m.Config()) {
			r.spill.Named = s.Called
		}
		return r.rank(m, adapted, cfg.Threads)
	})
	if err != nil {
		return err
	}
	if file := p.invalidFile(); file != "" {
		if err := durable.Write(file, func(f *os.File) error { return r.invalid.CopyTo(f) }); err != nil {
			return err
		}
	}
	r.spill.Top = p.top
	ranked := func(w io.Writer) error { return r.spill.WriteRanked(w, r.table.Header, p.shown(s), r.ranked) }
	if p.out == stdout {
		if err := ranked(c.OutOrStdout()); err != nil {
			return err
		}
		return p.report(c.ErrOrStderr(), trained, s, r, time.Since(begun))
	}
	if err := durable.Write(p.out, func(f *os.File) error { return ranked(f) }); err != nil {
		return err
	}
	return p.report(c.OutOrStdout(), trained, s, r, time.Since(begun))
}

// invalidFile names the list of unreadable molecules after the output; "" where that
// is no file, and none can be beside it.
func (p *prediction) invalidFile() string {
	if p.out == stdout || !durable.IsFile(p.out) {
		return ""
	}
	return strings.TrimSuffix(p.out, filepath.Ext(p.out)) + ".invalid.csv"
}

// withModel hands the model that is to predict to use.
func (p *prediction) withModel(use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	if p.method != "" {
		return withUntrained(p.method, p.settings, use)
	}
	return withModel(p.checkpoint, p.settings, use)
}

// shown returns what a probability is written as: itself or, where a share of actives
// is expected, that of a library with this share.
func (p *prediction) shown(s *ranking.Support) func(float32) float64 {
	if p.share == 0 {
		return func(probability float32) float64 { return float64(probability) }
	}
	counts := s.Counts()
	return evaluate.ShareOf(float64(counts[1])/float64(len(s.Labels)), p.share).Probability
}

// parseSupport makes the batch that a model adapts to. Molecules that cannot be read
// are left out, as long as each class keeps one.
func (p *prediction) parseSupport(s *ranking.Support, c model.Config) (*data.Batch, error) {
	molecules, rows, errs := evaluate.ParseSMILES(c, s.SMILES, 0)
	rows = slices.DeleteFunc(rows, func(row int32) bool { return row < 0 })
	if err := s.Drop(errs, p.onInvalid == "fail"); err != nil {
		return nil, err
	}
	episode, err := data.NewSupport(rows, s.Labels)
	if err != nil {
		return nil, err
	}
	return data.AssembleSupport(molecules, episode)
}
