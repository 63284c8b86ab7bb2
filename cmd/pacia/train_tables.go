package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"pacia/config"
	"pacia/train"
)

// writeHeader prints what a run works on, before its first step.
func writeHeader(out io.Writer, cfg config.Config, s train.StartInfo) {
	w := newTable(out)
	unread := ""
	if s.Skipped > 0 {
		unread = fmt.Sprintf(" (%s more cannot be read; pacia data inspect lists them)", group3(s.Skipped))
	}
	w.line("data\t%s: %s molecules%s", s.Dataset, group3(s.Molecules), unread)
	w.line("tasks\t%d training, %d validation, %d test", len(s.Train), len(s.Validation), len(s.Test))
	total := 0
	for _, p := range s.Parameters {
		total += p.Count
	}
	w.line("model\t%s: %s parameters; %s adaptive ones per task", cfg.Model.Preset, group3(total), group3(s.Adaptive))
	for _, p := range s.Parameters {
		w.line("\t  %11s %s", group3(p.Count), p.Part)
	}
	w.line("training\t%s episodes of %s, %s each, on %s",
		group3(s.Episodes), count(s.TasksPerStep, "task"), episodeSize(cfg.Episode), s.Device)
	if text := protocol(cfg); text != "" {
		w.line("evaluation\t%s", text)
	}
	if n := cfg.Train.Replicas; n > 1 {
		w.line("replicas\t%d, with the seeds %d to %d", n, cfg.Seed, cfg.Seed+uint64(n-1))
	}
	w.line("folder\t%s", s.Dir)
	if s.Episode > 0 {
		w.line("resumed\tafter episode %d", s.Episode)
	}
	for _, n := range s.Notes {
		w.line("note\t%s", n)
	}
	_ = w.flush() // summary.json has the same, and training goes on
}

// episodeSize says what a training episode holds of a task.
func episodeSize(e train.EpisodeConfig) string {
	support, query := fmt.Sprintf("%d+%d", e.Shots, e.Shots), strconv.Itoa(e.Queries)
	if e.Support > 0 {
		support = fmt.Sprintf("%d stratified", e.Support)
	}
	if e.Queries == 0 {
		query = "all other"
	}
	return fmt.Sprintf("%s support and %s query molecules", support, query)
}

// protocol says what evaluations do otherwise than by default.
func protocol(cfg config.Config) string {
	var parts []string
	if n := cfg.Episode.TestSupport; n > 0 {
		parts = append(parts, fmt.Sprintf("%d stratified support molecules", n))
	}
	if n := cfg.Train.EvaluationDraws; n > 1 {
		parts = append(parts, fmt.Sprintf("%d draws a task", n))
	}
	if cfg.Train.Metric != train.MetricROCAUC {
		parts = append(parts, metricName(cfg.Train.Metric)+" chooses the model")
	}
	if cfg.Train.TestEvery == train.TestLast {
		parts = append(parts, "test tasks once, in the end")
	}
	return strings.Join(parts, ", ")
}

// metricName returns the name of train.metric for people.
func metricName(metric string) string {
	if metric == train.MetricDeltaAUPRC {
		return "ΔAUPRC"
	}
	return "ROC-AUC"
}

// writeSummary prints the result of a run by each way to choose the model.
func writeSummary(out io.Writer, s train.Summary) {
	w := newTable(out)
	w.line("\ntest %s after %s episodes, %s", metricName(s.Metric), group3(s.Episodes), seconds(s.Seconds))
	w.line("task\tlast model\tchosen on validation\tbest on test")
	delta := s.Metric == train.MetricDeltaAUPRC
	for _, t := range s.PerTask {
		if delta {
			w.line("%s\t%s\t%s\t%s", t.Task, maybe(t.DeltaLast), maybe(t.DeltaValidationSelected), maybe(t.DeltaBestOnTest))
		} else {
			w.line("%s\t%s\t%s\t%s", t.Task, measured(t.Last), maybe(t.ValidationSelected), measured(t.BestOnTest))
		}
	}
	if delta {
		w.line("mean\t%s\t%s\t%s", maybe(s.DeltaLast), maybe(s.DeltaValidationSelected), maybe(s.DeltaBestOnTest))
	} else {
		w.line("mean\t%s\t%s\t%s", measured(s.AUCLast), maybe(s.AUCValidationSelected), measured(s.AUCBestOnTest))
	}
	if s.DeltaBestOnTest != nil || s.AUCBestOnTest > 0 {
		w.line("Best on test is selected on the test tasks themselves, as published tables are.")
	}
	_ = w.flush() // the figures are in summary.json, too
}

// measured writes a ROC-AUC, which is 0 where a run did not measure it.
func measured(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f", v)
}

// writeReplicas prints the results of several runs by each way to choose the
// model.
func writeReplicas(out io.Writer, s train.ReplicaSummary) {
	w := newTable(out)
	w.line("\ntest %s after %s episodes, %s in all", metricName(s.Metric), group3(s.Episodes), seconds(s.Seconds))
	w.line("seed\tlast model\tchosen on validation\tbest on test")
	last, validation, best := &s.AUCLast, s.AUCValidationSelected, &s.AUCBestOnTest
	if s.Metric == train.MetricDeltaAUPRC {
		last, validation, best = s.DeltaLast, s.DeltaValidationSelected, s.DeltaBestOnTest
	}
	line := func(name string, of func(train.Spread) float64) {
		cell := func(v *train.Spread) string {
			if v == nil || len(v.Values) == 0 {
				return "-"
			}
			return fmt.Sprintf("%.4f", of(*v))
		}
		w.line("%s\t%s\t%s\t%s", name, cell(last), cell(validation), cell(best))
	}
	for i, seed := range s.Seeds {
		line(strconv.FormatUint(seed, 10), func(v train.Spread) float64 { return v.Values[i] })
	}
	line("mean", func(v train.Spread) float64 { return v.Mean })
	line("standard deviation", func(v train.Spread) float64 { return v.StandardDeviation })
	if best != nil && len(best.Values) > 0 {
		w.line("Best on test is selected on the test tasks themselves, as published tables are.")
	}
	_ = w.flush() // the figures are in summary.json, too
}

// A table aligns lines whose cells are parted by tabs, and keeps the first
// error.
type table struct {
	w   *tabwriter.Writer
	err error
}

func newTable(out io.Writer) *table { return &table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)} }

func (t *table) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// flush writes the table and reports what went wrong on the way.
func (t *table) flush() error {
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

func maybe(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}

func seconds(s float64) string {
	switch {
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	case s < 6000:
		return fmt.Sprintf("%.1f min", s/60)
	}
	return fmt.Sprintf("%.1f h", s/3600)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return group3(n) + " " + noun + "s"
}

// group3 writes 9307546 as 9,307,546.
func group3(n int) string {
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// size writes 12345678 as 12.3 MB.
func size(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
