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
	w.line("training\t%s episodes of %s, %d+%d support and %d query molecules each, on %s",
		group3(s.Episodes), count(s.TasksPerStep, "task"), cfg.Episode.Shots, cfg.Episode.Shots, cfg.Episode.Queries, s.Device)
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

// writeSummary prints the result of a run by each way to choose the model.
func writeSummary(out io.Writer, s train.Summary) {
	w := newTable(out)
	w.line("\ntest ROC-AUC after %s episodes, %s", group3(s.Episodes), seconds(s.Seconds))
	w.line("task\tlast model\tchosen on validation\tbest on test")
	for _, t := range s.PerTask {
		w.line("%s\t%.4f\t%s\t%.4f", t.Task, t.Last, maybe(t.ValidationSelected), t.BestOnTest)
	}
	w.line("mean\t%.4f\t%s\t%.4f", s.AUCLast, maybe(s.AUCValidationSelected), s.AUCBestOnTest)
	w.line("Best on test is selected on the test tasks themselves, as published tables are.")
	_ = w.flush() // the figures are in summary.json, too
}

// writeReplicas prints the results of several runs by each way to choose the
// model.
func writeReplicas(out io.Writer, s train.ReplicaSummary) {
	w := newTable(out)
	w.line("\ntest ROC-AUC after %s episodes, %s in all", group3(s.Episodes), seconds(s.Seconds))
	w.line("seed\tlast model\tchosen on validation\tbest on test")
	line := func(name string, of func(train.Spread) float64) {
		var validation *float64
		if s.AUCValidationSelected != nil {
			v := of(*s.AUCValidationSelected)
			validation = &v
		}
		w.line("%s\t%.4f\t%s\t%.4f", name, of(s.AUCLast), maybe(validation), of(s.AUCBestOnTest))
	}
	for i, seed := range s.Seeds {
		line(strconv.FormatUint(seed, 10), func(v train.Spread) float64 { return v.Values[i] })
	}
	line("mean", func(v train.Spread) float64 { return v.Mean })
	line("standard deviation", func(v train.Spread) float64 { return v.StandardDeviation })
	w.line("Best on test is selected on the test tasks themselves, as published tables are.")
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
