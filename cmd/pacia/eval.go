package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data/split"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
	"pacia/screen/request"
)

func newEval() *cobra.Command {
	var o config.Options
	var checkpoint string
	var seed uint64
	var asJSON bool
	var bench benchmarkFlags
	var values valuesFlags
	var steps []int
	var rows predictions
	var past request.Past
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure a trained model on the test tasks of its data set",
		Long:  evalHelp,
		Example: `  pacia eval --checkpoint runs/embedded-0/best.ckpt
  pacia eval --checkpoint best.ckpt --seed 1 --set data.path=tox21.csv.gz --json
  pacia eval --checkpoint best.ckpt --set data.path=new.csv --predictions new-scores.csv.gz
  pacia eval --set data.path=fsmol --results tables`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			if err := cmp.Or(checkRules(c, append(rulesOfEval, request.Rules(&past)...)), bench.check()); err != nil {
				return err
			}
			if c.Flags().Changed("seed") {
				o.Set = append(o.Set, fmt.Sprintf("seed=%d", seed))
			}
			ctx, loaded := showing(c.Context(), c)
			defer loaded()
			if values.rounds > 0 {
				t, err := values.simulate(ctx, checkpoint, o, bench.draws)
				if err != nil {
					return err
				}
				return t.write(c.OutOrStdout(), asJSON)
			}
			if values.file != "" {
				v, err := values.run(ctx, checkpoint, o, bench.sizes, bench.draws)
				if err != nil {
					return err
				}
				return v.write(c.OutOrStdout(), asJSON)
			}
			rows.inputs = append(each.Of(past.History, pastFile), bench.against)
			if bench.results != "" {
				b, err := bench.run(ctx, checkpoint, o, &rows, past)
				if err != nil {
					return err
				}
				return b.write(c.OutOrStdout(), asJSON)
			}
			e, err := evaluateCheckpoint(ctx, checkpoint, o, steps, &rows, past)
			if err != nil {
				return err
			}
			return e.write(c.OutOrStdout(), asJSON)
		},
	}
	addSet(c, &o)
	bench.add(c)
	values.add(c)
	rows.add(c)
	addPast(c, &past)
	c.Flags().StringVar(&checkpoint, "checkpoint", "", "trained model, a `FILE` such as best.ckpt (default the model that ships)")
	c.Flags().Uint64Var(&seed, "seed", 0, "draws the support sets (default that of the training)")
	c.Flags().IntSliceVar(&steps, "finetune-steps", nil, "also measure it after this `MANY` gradient steps, such as 1,2,3,4,5")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// rulesOfEval are the rules of flags that belong to one of the tests of eval.
var rulesOfEval = []request.Rule{
	{Name: "results", Without: []string{"values"}},
	{Name: "against", Needs: []string{"results"}},
	{Name: "sizes", Needs: []string{"results", "values"}, Without: []string{"rounds"}},
	{Name: "draws", Needs: []string{"results", "values"}},
	{Name: "fold", Needs: []string{"values"}},
	{Name: "method", Needs: []string{"values"}, Without: []string{"checkpoint"}},
	{Name: "rounds", Needs: []string{"values"}},
	{Name: "explore", Needs: []string{"rounds"}},
	{Name: "history", Without: []string{"values"}},
	{Name: "predictions", Without: []string{"values"}},
	{Name: "finetune-steps", Without: []string{"results", "values"}},
}

// An evaluation holds the figures of a trained model on the test tasks.
type evaluation struct {
	Checkpoint string            `json:"checkpoint"`
	Dataset    string            `json:"dataset"`
	Episode    int               `json:"episode"` // of the model
	Seed       uint64            `json:"seed"`
	Shots      int               `json:"shots"`
	Support    int               `json:"support,omitempty"` // of both classes together; 0: shots of each
	Metric     string            `json:"metric"`            // that selected the model
	Mean       metrics.Values    `json:"auc_test" further:"*_test"`
	Test       []metrics.Figures `json:"test"`
	Queries    int               `json:"queries"` // molecules ranked, without those of the controls
	Seconds    float64           `json:"seconds"`
	SameData   bool              `json:"same_data"` // the model was trained on the same file

	Adaptivity *metrics.Adaptivity      `json:"adaptivity,omitempty"` // mean of Test
	Categories []rundir.CategorySummary `json:"categories,omitempty"` // means of Test over groups of tasks
	History    *pastFigures             `json:"history,omitempty"`    // --history

	AdaptSeconds float64       `json:"adapt_seconds"`      // median time to adapt to a task
	FineTuned    []afterTuning `json:"finetune,omitempty"` // --finetune-steps
}

// MarshalJSON encodes each metric as a member.
func (e evaluation) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(e) }

// UnmarshalJSON decodes the members.
func (e *evaluation) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, e) }

// withTests calls f with the model of a checkpoint, its data set, the test tasks and past assays. It refuses wrong predictions, which may
// be nil, before the data set is opened.
func withTests(ctx context.Context, file string, o config.Options, rows *predictions, past request.Past, f func(*tested) error) error {
	return withModel(file, o, func(m *model.Model, meta checkpoint.Meta, cfg config.Config) (err error) {
		if err := ofShipped(file, meta, cfg); err != nil {
			return err
		}
		cfg, other, err := dataOfTests(ctx, meta, cfg, o)
		if err != nil {
			return err
		}
		if err := rows.check(cfg, file); err != nil {
			return err
		}
		d, err := evaluate.OpenData(ctx, cfg)
		if err != nil {
			return err
		}
		defer d.Close()
		split, err := split.Parse(cfg.Data.Split, d)
		if err != nil {
			return err
		}
		t := &tested{Model: m, meta: meta, cfg: cfg, data: d, tasks: split.Test, other: other}
		if len(t.tasks) == 0 && other && cfg.Data.Split == "auto" {
			t.tasks = each.Order[int](len(d.Tasks)) // a folder without test/
		}
		if len(t.tasks) == 0 {
			return &badinput.Error{File: cfg.Data.Path, What: "there are no test tasks",
				Fix: "name some behind the slash of data.split, or put task files into test/ of their folder"}
		}
		if t.known, err = evaluate.KnownRows(m, d.Store); err != nil {
			return err
		}
		if err := t.open(ctx, past); err != nil {
			return err
		}
		return f(t)
	})
}

// ofShipped returns an error if the data set of the model that ships is missing, and a user named neither.
func ofShipped(file string, meta checkpoint.Meta, cfg config.Config) error {
	path := cfg.Data.Path
	if _, err := os.Stat(path); file != "" || path != meta.Config.Data.Path || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &badinput.Error{
		What: "without --checkpoint, the model that ships is measured on FS-Mol, and there is no folder " + path,
		Fix:  "write --checkpoint FILE, or --set data.path=FOLDER with FS-Mol, which pacia data fetch fsmol gets",
	}
}

func evaluateCheckpoint(ctx context.Context, file string, o config.Options, steps []int, rows *predictions, past request.Past) (e evaluation, err error) {
	err = withTests(ctx, file, o, rows, past, func(t *tested) error {
		tunings, err := tuningsOf(t.cfg, steps)
		if err != nil {
			return err
		}
		t.describe()
		options := evaluate.OptionsOf(t.cfg, uint64(t.meta.Episode()))
		if e, err = t.evaluate(ctx, options, rows); err != nil {
			return err
		}
		e.Checkpoint = nameOf(file)
		e.FineTuned, err = afterTunings(ctx, t.Model, t.data, t.tasks, options, tunings)
		return err
	})
	return e, err
}

// evaluate ranks the queries of the test tasks.
func (t *tested) evaluate(ctx context.Context, options evaluate.Options, rows *predictions) (e evaluation, err error) {
	begun, times := time.Now(), adaptTimes{}
	var test []metrics.Figures
	var n int
	err = rows.during(ctx, t, func(row func(evaluate.Tested) error) (err error) {
		options.Controls, options.Each = t.controls(), row
		test, n, err = evaluate.Tasks(ctx, evaluate.TimedAll(t.adapters(), times.add), t.data, t.tasks, options)
		return err
	})
	if err != nil {
		return e, err
	}
	e = evaluation{
		Dataset: t.data.Name, Episode: t.meta.Episode(), Seed: t.cfg.Seed, Shots: t.cfg.Episode.Shots,
		Support: t.cfg.Episode.TestSize(), Metric: t.cfg.Train.Metric, Mean: metrics.Mean(test), Test: test, Queries: n,
		Seconds:      time.Since(begun).Seconds(),
		SameData:     t.data.Hash == t.meta.DataHash,
		Adaptivity:   metrics.MeanAdaptivityOf(test),
		Categories:   rundir.ByCategory(test),
		AdaptSeconds: times.median(),
		History:      t.past.figures(),
	}
	return e, nil
}

func (e evaluation) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, e)
	}
	w := ui.NewTable(out)
	support := ui.Count(e.Shots, "molecule") + " of each class"
	if e.Support > 0 {
		support = fmt.Sprintf("%d stratified molecules", e.Support)
	}
	w.Line("%s after episode %d, on %s with %s as support, seed %d\n", e.Checkpoint, e.Episode, e.Dataset, support, e.Seed)
	if !e.SameData {
		w.Line("note: the model was trained on another file\n")
	}
	w.Line("task\t%s", metricsHead())
	for _, t := range e.Test {
		w.Line("%s\t%s", t.Task, metricsCells(t.Values, nil, t.Draws))
	}
	w.Line("mean\t%s", metricsCells(e.Mean, nil, len(e.Test)))
	writeCategories(w, "", e.Metric, categoryTable{rows: e.Categories})
	e.writeAdaptivity(w)
	e.History.write(w)
	w.Line("\n%s molecules ranked in %s; adapting to a task took %.3f s, the median", ui.Grouped(e.Queries), ui.Seconds(e.Seconds), e.AdaptSeconds)
	if len(e.FineTuned) > 0 {
		w.Line("\ngradient steps\tROC-AUC\ts to adapt")
	}
	for _, t := range e.FineTuned {
		w.Line("%d\t%.4f\t%.3f", t.Steps, t.AUC, t.AdaptSeconds)
	}
	return w.Flush()
}

func (e evaluation) writeAdaptivity(w *ui.Table) {
	if e.Adaptivity == nil {
		return
	}
	w.Line("\nadaptivity, %s, %s of %s molecules", metrics.Title(e.Metric), ui.Count(e.Adaptivity.Draws, "draw"), ui.Grouped(e.Adaptivity.Queries))
	w.Line("task\t%s", adaptivityHead)
	for _, t := range e.Test {
		w.Line("%s\t%s", t.Task, adaptivityCells(t.Adaptivity, e.Metric))
	}
	w.Line("mean\t%s", adaptivityCells(e.Adaptivity, e.Metric))
	writeAdaptivityNotes(w, e.Adaptivity)
}
