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
	w := columns(out)
	fmt.Fprintf(w, "data\t%s: %s molecules", s.Dataset, group3(s.Molecules))
	if s.Skipped > 0 {
		fmt.Fprintf(w, " (%s more cannot be read; pacia data inspect lists them)", group3(s.Skipped))
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "tasks\t%d training, %d validation, %d test\n", len(s.Train), len(s.Validation), len(s.Test))
	total := 0
	for _, p := range s.Parameters {
		total += p.Count
	}
	fmt.Fprintf(w, "model\t%s: %s parameters; %s adaptive ones per task\n", cfg.Model.Preset, group3(total), group3(s.Adaptive))
	for _, p := range s.Parameters {
		fmt.Fprintf(w, "\t  %11s %s\n", group3(p.Count), p.Part)
	}
	fmt.Fprintf(w, "training\t%s episodes of %s, %d+%d support and %d query molecules each, on %s\n",
		group3(s.Episodes), count(s.TasksPerStep, "task"), cfg.Episode.Shots, cfg.Episode.Shots, cfg.Episode.Queries, s.Device)
	fmt.Fprintf(w, "folder\t%s\n", s.Dir)
	if s.Episode > 0 {
		fmt.Fprintf(w, "resumed\tafter episode %d\n", s.Episode)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "note\t%s\n", n)
	}
	_ = w.Flush() // an output that is closed shows where results are written
}

// writeSummary prints the result of a run by each way to choose the model.
func writeSummary(out io.Writer, s train.Summary) {
	fmt.Fprintf(out, "\ntest ROC-AUC after %s episodes, %s\n", group3(s.Episodes), seconds(s.Seconds))
	w := columns(out)
	fmt.Fprintln(w, "task\tlast model\tchosen on validation\tbest on test")
	for _, t := range s.PerTask {
		fmt.Fprintf(w, "%s\t%.4f\t%s\t%.4f\n", t.Task, t.Last, maybe(t.ValidationSelected), t.BestOnTest)
	}
	fmt.Fprintf(w, "mean\t%.4f\t%s\t%.4f\n", s.AUCLast, maybe(s.AUCValidationSelected), s.AUCBestOnTest)
	_ = w.Flush()
	fmt.Fprintln(out, "Best on test is selected on the test tasks themselves, as published tables are.")
}

func columns(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }

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
