package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"pacia/config"
	valued "pacia/evaluate/measured"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/run/checkpoint"
)

// valuesFlags are the flags of pacia eval that test how a model learns measured values.
type valuesFlags struct {
	file, fold, method string
	rounds             int
	explore            []float64
}

func (f *valuesFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "values", "", "test how the model learns measured values, on the assays of a `FILE` (docs/lab/potency.md)")
	c.Flags().StringVar(&f.fold, "fold", "test", "with --values: the `PART` of the assays, valid or test")
	c.Flags().StringVar(&f.method, "method", "", "`METHOD` that needs no training in place of a checkpoint, with --values: gp, forest or similarity")
	c.Flags().IntVar(&f.rounds, "rounds", 0, "with --values: simulate so `MANY` rounds of pacia next, of 8 molecules, from 16 at the start")
	c.Flags().Float64SliceVar(&f.explore, "explore", []float64{0}, "with --rounds: `FACTORS` of the uncertainty, as of pacia next")
	c.Flags().Lookup("explore").DefValue = "0" // pflag would write [0.000000]
}

// valuesTest holds the figures of a model on assays with measured values.
type valuesTest struct {
	Model   string           `json:"model"`
	Fold    string           `json:"fold"`
	Seed    uint64           `json:"seed"`
	Draws   int              `json:"draws"`
	Summary []valued.Summary `json:"summary"`
	Tasks   []valued.Result  `json:"tasks"`
}

// with calls use with the model of a checkpoint, or with that of --method.
func (f *valuesFlags) with(file string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	if f.method != "" {
		return withUntrained(f.method, o, use)
	}
	return withModel(file, o, use)
}

func (f *valuesFlags) called(file string) string {
	if f.method != "" {
		return f.method
	}
	return nameOf(file)
}

// run tests the model of a checkpoint, or the method, with support sets of these sizes.
func (f *valuesFlags) run(ctx context.Context, file string, o config.Options, sizes []int, draws int) (v valuesTest, err error) {
	err = f.with(file, o, func(m *model.Model, _ checkpoint.Meta, cfg config.Config) error {
		if !m.Traits().Measures {
			return badinput.Newf("the method %s learns labels alone; kernel, gp, forest and similarity learn values", cfg.Model.Method)
		}
		a, err := valued.Open(ctx, m.Config(), f.file, f.fold)
		if err != nil {
			return err
		}
		v = valuesTest{Model: f.called(file), Fold: f.fold, Seed: cfg.Seed, Draws: draws}
		options := valued.Options{Seed: uint32(cfg.Seed), Sizes: sizes, Draws: draws}
		keep := func(r valued.Result) error { v.Tasks = append(v.Tasks, r); return nil }
		if err := valued.Test(ctx, m, a, options, keep); err != nil {
			return err
		}
		for _, size := range sizes {
			v.Summary = append(v.Summary, valued.Summarise(v.Tasks, size)...)
		}
		return nil
	})
	return v, err
}

func (v *valuesTest) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, v)
	}
	w := ui.NewTable(out)
	w.Line("%s on the %s assays, by their values and by their labels, %s of each, seeds from %d\n",
		v.Model, v.Fold, ui.Count(v.Draws, "draw"), v.Seed)
	w.Line("support\tassays\t\tΔAUPRC by values\tby labels\tgain\tρ by values\tby labels\tR²_os\twithin 80 %%\thits of 10\tof 50\tof 100")
	for _, s := range v.Summary {
		w.Line("%d\t%s\t%d\t%.4f\t%.4f\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.2f\t%.2f",
			s.Support, s.Group, s.Tasks, s.DeltaAUPRC, s.ByLabels, difference(s.Gain, s.StandardError, s.Tasks), s.Spearman, s.LabelsRho, s.R2, s.Within,
			s.Hits10, s.Hits50, s.Hits100)
	}
	w.Line("\nmeans over the assays; gains ± standard error, paired; new, some, known: fewer than 10 %%, in between, " +
		"90 %% or more of an assay's molecules are in training assays; " +
		"hits: draws with a number of actives in the interval that was expected of labels")
	return w.Flush()
}
