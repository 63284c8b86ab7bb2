package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/rundir"
	"pacia/screen/request"
)

// measuring holds the flags of pacia eval.
type measuring struct {
	settings config.Options
	files    []string // of models; none: the model that ships
	steps    []int
	bench    benchmarkFlags
	values   valuesFlags
	rows     predictions
	past     request.Past
}

func newEval() *cobra.Command {
	var m measuring
	var seed uint64
	var asJSON bool
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure a trained model on the test tasks of its data set",
		Long:  evalHelp,
		Example: `  pacia eval --checkpoint runs/embedded-0/best.ckpt
  pacia eval --checkpoint best.ckpt --seed 1 --set data.path=tox21.csv.gz --json
  pacia eval --checkpoint best.ckpt --set data.path=new.csv --predictions new-scores.csv.gz
  pacia eval --set data.path=fsmol --results tables
  pacia eval --checkpoint a.ckpt --checkpoint b.ckpt --results tables     # the mean of both`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			if err := m.check(c); err != nil {
				return err
			}
			if c.Flags().Changed("seed") {
				m.settings.Set = append(m.settings.Set, fmt.Sprintf("seed=%d", seed))
			}
			ctx, loaded := showing(c.Context(), c)
			defer loaded()
			found, err := m.run(ctx)
			if err != nil {
				return err
			}
			return found.write(c.OutOrStdout(), asJSON)
		},
	}
	addSet(c, &m.settings)
	m.bench.add(c)
	m.values.add(c)
	m.rows.add(c)
	addPast(c, &m.past)
	c.Flags().StringArrayVar(&m.files, "checkpoint", nil,
		"trained model, a `FILE` such as best.ckpt (default the model that ships); repeated: the mean of several")
	c.Flags().Uint64Var(&seed, "seed", 0, "draws the support sets (default that of the training)")
	c.Flags().IntSliceVar(&m.steps, "finetune-steps", nil, "also measure it after this `MANY` gradient steps, such as 1,2,3,4,5")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// check refuses flags that do not go together.
func (m *measuring) check(c *cobra.Command) error {
	return cmp.Or(checkRules(c, append(rulesOfEval, request.Rules(&m.past)...)), m.bench.check(), onlyOne(c, m.files))
}

// run measures by the test that the flags name.
func (m *measuring) run(ctx context.Context) (interface {
	write(out io.Writer, asJSON bool) error
}, error) {
	if len(m.files) == 0 {
		m.files = []string{""}
	}
	m.rows.inputs = append(each.Of(m.past.History, pastFile), m.bench.against)
	switch {
	case m.values.rounds > 0:
		t, err := m.values.simulate(ctx, m.files[0], m.settings, m.bench.draws)
		return &t, err
	case m.values.file != "":
		v, err := m.values.run(ctx, m.files[0], m.settings, m.bench.sizes, m.bench.draws)
		return &v, err
	case m.bench.results != "":
		b, err := m.bench.run(ctx, m.files, m.settings, &m.rows, m.past)
		return &b, err
	}
	return evaluateCheckpoints(ctx, m.files, m.settings, m.steps, &m.rows, m.past)
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
	subject
	Dataset  string            `json:"dataset"`
	Episode  int               `json:"episode"` // of the first model; with the seed it defines the support sets
	Seed     uint64            `json:"seed"`
	Shots    int               `json:"shots"`
	Support  int               `json:"support,omitempty"` // of both classes together; 0: shots of each
	Metric   string            `json:"metric"`            // that selected the model
	Mean     metrics.Values    `json:"auc_test" further:"*_test"`
	Test     []metrics.Figures `json:"test"`
	Queries  int               `json:"queries"` // molecules ranked, without those of the controls
	Seconds  float64           `json:"seconds"`
	SameData bool              `json:"same_data"` // all models were trained on the same file

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

func evaluateCheckpoints(
	ctx context.Context, files []string, o config.Options, steps []int, rows *predictions, past request.Past,
) (e evaluation, err error) {
	err = withTests(ctx, files, o, rows, past, func(t *tested) error {
		tunings, err := tuningsOf(t.cfg, steps)
		if err != nil {
			return err
		}
		t.describe()
		options := evaluate.OptionsOf(t.cfg, uint64(t.metas[0].Episode()))
		if e, err = t.evaluate(ctx, options, rows); err != nil {
			return err
		}
		e.FineTuned, err = afterTunings(ctx, t.members[0], t.data, t.tasks, options, tunings)
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
		subject: t.subject, Dataset: t.data.Name, Episode: t.metas[0].Episode(), Seed: t.cfg.Seed, Shots: t.cfg.Episode.Shots,
		Support: t.cfg.Episode.TestSize(), Metric: t.cfg.Train.Metric, Mean: metrics.Mean(test), Test: test, Queries: n,
		Seconds:      time.Since(begun).Seconds(),
		SameData:     t.sameData(),
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
	w.Line("%s, on %s with %s as support, seed %d\n", e.title(e.Episode), e.Dataset, support, e.Seed)
	if !e.SameData {
		w.Line("note: %s trained on another file\n", e.others())
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
