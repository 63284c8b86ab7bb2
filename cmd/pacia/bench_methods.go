package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"pacia/config"
	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/ui"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
	"pacia/train"
)

// This file measures, for any method, what the paper compares between PACIA and PAR
// (Table 3, tab:adapt-new): parameters, adaptive parameters and the time to adapt. It also
// times a training step and a ranking.

// everyMethod stands for all methods in --methods.
const everyMethod = "all"

// rankedMolecules is the number of molecules to rank, if the data set has that many.
const rankedMolecules = 1000

// A timed holds medians of repeats, in seconds.
type timed struct {
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor_seconds"` // of all threads together
}

// A methodCost is the cost of one method.
type methodCost struct {
	Method        string `json:"method"`
	Title         string `json:"title"`
	Parameters    int    `json:"parameters"`
	Adaptive      int    `json:"adaptive_parameters"`
	GradientSteps int    `json:"gradient_steps"` // of adapting to a task
	Step          *timed `json:"step"`           // of training; null for a method without training
	Adapt         timed  `json:"adapt"`          // to the support set of a test task
	Rank          timed  `json:"rank"`           // the ranked molecules, with the adapted model
}

// methodCosts holds the costs of several methods with one preset and data set.
type methodCosts struct {
	Dataset   string       `json:"dataset"`
	Encoder   string       `json:"encoder"`
	Tasks     int          `json:"tasks_per_step"`
	Queries   int          `json:"queries_per_task"` // of a step
	Support   int          `json:"support"`          // molecules, of a task
	Molecules int          `json:"ranked_molecules"`
	Repeats   int          `json:"repeats"`
	Threads   int          `json:"threads"`
	Device    string       `json:"device"`
	Methods   []methodCost `json:"methods"`
}

// measureMethods measures one method after the other: keeping all of them open for measurements
// in turn would add up their memory. Other work on the machine affects medians of repeats and
// processor times little, so that methods remain comparable.
func measureMethods(ctx context.Context, o config.Options, names []string, repeats int, progress io.Writer) (c methodCosts, err error) {
	if slices.Contains(names, everyMethod) {
		names = methods.Names()
	}
	configs := make([]config.Config, len(names)) // a wrong setting is reported before anything is measured
	for i, name := range names {
		own := o
		own.Set = append(slices.Clone(o.Set), "model.method="+name)
		if methods.Traits(name).Untrained {
			own.Set = append(own.Set, "train.episodes=0") // a preset may set it for the methods with training
		}
		if configs[i], err = config.Load(own); err != nil {
			return c, err
		}
		configs[i].Train.Selection, configs[i].Train.ValidationTasks = runconfig.SelectLast, 0
	}
	first := configs[0]
	if err := checkDevice(first.Device); err != nil {
		return c, err
	}
	c = methodCosts{Encoder: first.Model.Encoder, Repeats: repeats, Threads: threads(first), Device: first.Device}
	done := ui.NewCounter(progress, "methods")
	defer done.Close()
	for _, cfg := range configs {
		if err := ops.Pinned(cfg.Threads, func() error { return c.measure(ctx, cfg) }); err != nil {
			return c, fmt.Errorf("model.method=%s: %w", cfg.Model.Method, err)
		}
		done.Add(1)
	}
	return c, nil
}

func (c *methodCosts) measure(ctx context.Context, cfg config.Config) (err error) {
	bench, err := train.OpenWorkbench(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bench.Close()) }()
	spec, err := methods.Find(cfg.Model.Method)
	if err != nil {
		return err
	}
	m := methodCost{Method: spec.Name, Title: spec.Title, Adaptive: bench.Adaptive, GradientSteps: gradientSteps(cfg)}
	for _, part := range bench.Parameters {
		m.Parameters += part.Count
	}
	c.Dataset = bench.Dataset
	if !spec.Traits.Untrained {
		c.Tasks, c.Queries = bench.TasksPerStep, cfg.Episode.Queries
		if m.Step, err = c.steps(ctx, bench, cfg); err != nil {
			return err
		}
	}
	if m.Adapt, m.Rank, err = c.tests(ctx, bench); err != nil {
		return err
	}
	c.Methods = append(c.Methods, m)
	return nil
}

// gradientSteps returns the number of gradient steps that adapt a model to a task. They tune
// a copy of the whole model (train.finetune), or a part of it (model.adaptation.steps).
func gradientSteps(cfg config.Config) int {
	if methods.Traits(cfg.Model.Method).Tunes {
		return cfg.Train.FineTune.Steps
	}
	n, _ := strconv.Atoi(rundir.SettingsOf(cfg).Get("model.adaptation.steps"))
	return n
}

// steps times training steps on the batches that a run draws.
func (c *methodCosts) steps(ctx context.Context, bench *train.Workbench, cfg config.Config) (*timed, error) {
	var b *data.Batch
	draw := func(step int) (err error) {
		b, err = bench.Draw(step, bench.TasksPerStep, cfg.Episode.Shots)
		return err
	}
	t, err := repeated(ctx, warmUpOn(cfg.Device), c.Repeats, draw, func(step int) error {
		_, err := bench.Step(b, uint64(step))
		return err
	})
	return &t, err
}

// tests times the adaptation to support sets of the test tasks in turn, and the
// ranking of molecules after each.
func (c *methodCosts) tests(ctx context.Context, bench *train.Workbench) (adapt, rank timed, err error) {
	var ep data.Episode
	var rows []int32
	var adapted evaluate.Adapted
	drop := func() {
		if adapted != nil {
			adapted.Drop()
		}
		adapted = nil
	}
	defer drop()
	draw := func(i int) (err error) {
		drop()
		if ep, err = bench.DrawTest(i%len(bench.Test), 1); err != nil {
			return err
		}
		rows = bench.Candidates(ep, rankedMolecules)
		c.Support, c.Molecules = len(ep.Support), len(rows)
		return nil
	}
	toTask := func(int) (err error) {
		adapted, err = bench.Adapt(ep)
		return err
	}
	if adapt, err = repeated(ctx, 1, c.Repeats, draw, toTask); err != nil {
		return adapt, rank, err
	}
	rank, err = repeated(ctx, 1, c.Repeats, func(i int) error { return errors.Join(draw(i), toTask(i)) }, func(int) error {
		_, err := bench.Score(ctx, adapted, rows)
		return err
	})
	return adapt, rank, err
}

// repeated calls prepare and then do, with numbers from 1, and times do. The first warm
// repeats do not count.
func repeated(ctx context.Context, warm, repeats int, prepare, do func(i int) error) (t timed, err error) {
	var seconds, processor []float64
	for i := 1; i <= warm+repeats; i++ {
		if err := errors.Join(ctx.Err(), prepare(i)); err != nil {
			return t, err
		}
		begun, used := time.Now(), processorTime()
		if err := do(i); err != nil {
			return t, err
		}
		if i > warm {
			seconds, processor = append(seconds, time.Since(begun).Seconds()), append(processor, processorTime()-used)
		}
	}
	return timed{median(seconds), median(processor)}, nil
}

func (c methodCosts) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, c)
	}
	w := ui.NewTable(out)
	w.Line("method\tparameters\tadapted\tgradient steps\ta training step\tadapting to a task\tranking %s molecules", ui.Grouped(c.Molecules))
	for _, m := range c.Methods {
		steps, step := "–", "–"
		if m.GradientSteps > 0 {
			steps = ui.Grouped(m.GradientSteps)
		}
		if m.Step != nil {
			step = m.Step.String()
		}
		w.Line("%s\t%s\t%s\t%s\t%s\t%s\t%s", m.Title, ui.Grouped(m.Parameters), ui.Grouped(m.Adaptive), steps, step, m.Adapt, m.Rank)
	}
	w.Line("medians of %d in seconds, and in brackets the processor's time of all threads", c.Repeats)
	w.Line("%s, encoder %s, %s of each task, %s a training step with %s, on %s with %s", c.Dataset, c.Encoder,
		ui.Count(c.Support, "support molecule"), ui.Count(c.Tasks, "task"), queriesText(c.Queries), c.Device, ui.Count(c.Threads, "thread"))
	return w.Flush()
}

func queriesText(n int) string {
	if n == 1 {
		return "1 query each"
	}
	return ui.Grouped(n) + " queries each"
}

func (t timed) String() string { return fmt.Sprintf("%.4f (%.4f)", t.Seconds, t.Processor) }
