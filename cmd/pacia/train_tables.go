package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pacia/config"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/runconfig"
	"pacia/run/rundir"
	"pacia/train"
)

// writeHeader prints the data, model and training of a run, before its first step.
func writeHeader(out io.Writer, cfg config.Config, s train.StartInfo) {
	w := ui.NewTable(out)
	unread := ""
	if s.Skipped > 0 {
		unread = fmt.Sprintf(" (%s more cannot be read; pacia data inspect lists them)", ui.Grouped(s.Skipped))
	}
	w.Line("data\t%s: %s molecules%s", s.Dataset, ui.Grouped(s.Molecules), unread)
	w.Line("tasks\t%d training, %d validation, %d test", len(s.Train), len(s.Validation), len(s.Test))
	total := 0
	for _, p := range s.Parameters {
		total += p.Count
	}
	w.Line("model\t%s: %s parameters; %s adaptive ones per task", cfg.Model.Preset, ui.Grouped(total), ui.Grouped(s.Adaptive))
	for _, p := range s.Parameters {
		w.Line("\t  %11s %s", ui.Grouped(p.Count), p.Part)
	}
	w.Line("training\t%s of %s, %s each, on %s",
		ui.Count(s.Episodes, "episode"), episodeTasks(s), episodeSize(cfg.Episode), s.Device)
	if text := protocol(cfg); text != "" {
		w.Line("evaluation\t%s", text)
	}
	if n := cfg.Train.Replicas; n > 1 {
		w.Line("replicas\t%d, with the seeds %d to %d", n, cfg.Seed, cfg.Seed+uint64(n-1))
	}
	w.Line("folder\t%s", s.Dir)
	if s.Step > 0 {
		w.Line("resumed\tafter episode %d", s.Episode)
	}
	for _, n := range s.Notes {
		w.Line("note\t%s", n)
	}
	_ = w.Flush() // summary.json has the same, and training continues
}

func episodeTasks(s train.StartInfo) string {
	tasks := ui.Count(s.EpisodeTasks, "task")
	switch {
	case s.StepsPerEpisode == 1:
		return tasks
	case s.TasksPerStep == 1:
		return tasks + " one by one"
	}
	return fmt.Sprintf("%s, %d at a time", tasks, s.TasksPerStep)
}

func episodeSize(e runconfig.Episode) string {
	support, query := fmt.Sprintf("%d+%d", e.Shots, e.Shots), strconv.Itoa(e.Queries)
	if e.Support > 0 {
		support = fmt.Sprintf("%d stratified", e.Support)
	}
	if e.Queries == 0 {
		query = "all other"
	}
	return fmt.Sprintf("%s support and %s query molecules", support, query)
}

// protocol lists how evaluations differ from the default.
func protocol(cfg config.Config) string {
	var parts []string
	if n := cfg.Episode.TestSupport; n > 0 {
		parts = append(parts, fmt.Sprintf("%d stratified support molecules", n))
	}
	if n := cfg.Train.EvaluationDraws; n > 1 {
		parts = append(parts, fmt.Sprintf("%d draws a task", n))
	}
	if cfg.Train.Metric != metrics.NameROCAUC {
		parts = append(parts, metrics.Title(cfg.Train.Metric)+" chooses the model")
	}
	if cfg.Train.TestEvery == runconfig.TestLast {
		parts = append(parts, "test tasks once, at the end")
	}
	return strings.Join(parts, ", ")
}

// writeSummary prints the result of a run for each way to select the model.
func writeSummary(out io.Writer, s rundir.Summary) {
	w := ui.NewTable(out)
	w.Line("\ntest %s after %s, %s", metrics.Title(s.Metric), ui.Count(s.Episodes, "episode"), ui.Seconds(s.Seconds))
	w.Line("task\tlast model\tchosen on validation\tbest on test")
	row := func(name string, last, validation, best *float64) {
		w.Line("%s\t%s\t%s\t%s", name, ui.Figure(last), ui.Figure(validation), ui.Figure(best))
	}
	for _, t := range s.PerTask {
		row(t.Task, t.Last.Find(s.Metric), t.ValidationSelected.Find(s.Metric), t.BestOnTest.Find(s.Metric))
	}
	last, validation, best := s.Figures()
	if row("mean", last, validation, best); best != nil {
		w.Line("Best on test is selected on the test tasks themselves, as published tables are.")
	}
	writeCategories(w, "", s.Metric, categoryTable{rows: s.Categories})
	if a := s.Adaptivity; a != nil {
		w.Line("\nadaptivity of the selected model, that of episode %d: test %s", s.BestEpisode, metrics.Title(s.Metric))
		w.Line("%s", adaptivityHead)
		w.Line("%s", adaptivityCells(a, s.Metric))
		writeAdaptivityNotes(w, a)
	}
	_ = w.Flush() // summary.json also has the figures
}

// writeReplicas prints the results of several runs for each way to select the model.
func writeReplicas(out io.Writer, s rundir.ReplicaSummary) {
	w := ui.NewTable(out)
	w.Line("\ntest %s after %s, %s in all", metrics.Title(s.Metric), ui.Count(s.Episodes, "episode"), ui.Seconds(s.Seconds))
	head := "seed\tlast model\tchosen on validation\tbest on test"
	if s.Adaptivity != nil {
		head += "\tlabels swapped\tadaptivity"
	}
	w.Line("%s", head)
	last, validation, best := s.Figures()
	line := func(name string, of func(rundir.Spread) float64) {
		cell := func(v *rundir.Spread) string {
			if v == nil {
				return "-"
			}
			return fmt.Sprintf("%.4f", of(*v))
		}
		row := name + "\t" + cell(last) + "\t" + cell(validation) + "\t" + cell(best)
		if s.Adaptivity != nil {
			row += "\t" + cell(s.Swapped) + "\t" + cell(s.Adaptivity)
		}
		w.Line("%s", row)
	}
	for i, seed := range s.Seeds {
		line(strconv.FormatUint(seed, 10), func(v rundir.Spread) float64 { return v.Values[i] })
	}
	line("mean", func(v rundir.Spread) float64 { return v.Mean })
	line("standard deviation", func(v rundir.Spread) float64 { return v.StandardDeviation })
	if best != nil {
		w.Line("Best on test is selected on the test tasks themselves, as published tables are.")
	}
	if s.Adaptivity != nil {
		w.Line("%s", wrapped(metrics.AdaptivityNote))
	}
	_ = w.Flush() // summary.json also has the figures
}
