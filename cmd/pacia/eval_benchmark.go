package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data/source/fsmol"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/rundir"
	"pacia/screen/request"
)

// A protocolTest holds the results of a trained model by FS-Mol's protocol.
type protocolTest struct {
	subject
	Dataset  string      `json:"dataset"`
	Episode  int         `json:"episode"` // of the first model
	Seed     uint32      `json:"seed"`    // of the first draw
	Draws    int         `json:"draws"`   // of each task and size
	Sizes    []sizeScore `json:"sizes"`
	Queries  int         `json:"queries"` // molecules ranked
	Seconds  float64     `json:"seconds"`
	SameData bool        `json:"same_data"` // all models were trained on the same files

	Against []pairedScore `json:"against,omitempty"` // --against
	History *pastFigures  `json:"history,omitempty"` // --history

	results string // folder of the tables
	tasks   []evaluate.BenchmarkedTask
}

// sizeScore holds the figures of a model with support sets of one size. A figure is the mean
// over the tasks, and a task's is the mean over its draws.
type sizeScore struct {
	Support       int            `json:"support"`
	Tasks         int            `json:"tasks"`          // with at least one draw
	Draws         int            `json:"draws"`          // of all tasks
	LeftOut       int            `json:"draws_left_out"` // draws for which the task is too small
	Mean          metrics.Values `json:"roc_auc" further:"*"`
	StandardError metrics.Values `json:"-" further:"*_standard_error"` // over the tasks; 0 of one task

	Categories []rundir.CategorySummary `json:"categories,omitempty"` // means over groups of tasks
	Adaptivity *metrics.Adaptivity      `json:"adaptivity,omitempty"` // mean over the tasks; nil if not measured
}

// MarshalJSON encodes each metric as a member.
func (s sizeScore) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(s) }

// UnmarshalJSON decodes the members.
func (s *sizeScore) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, s) }

// benchmarkFlags are the flags of pacia eval for a test by FS-Mol's protocol.
type benchmarkFlags struct {
	results string
	against string
	sizes   []int
	draws   int
}

func (f *benchmarkFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.results, "results", "", "test by FS-Mol's protocol, and write its tables into a `FOLDER`")
	c.Flags().StringVar(&f.against, "against", "", "with --results: pair the tasks with those of other results, a table `FILE` or the folder of another --results")
	c.Flags().IntSliceVar(&f.sizes, "sizes", fsmol.SupportSizes, "with --results or --values: sizes of the support sets")
	c.Flags().IntVar(&f.draws, "draws", fsmol.Draws, "with --results or --values: support sets that are drawn for each task and size")
}

// checkSizes checks sizes of support sets.
func checkSizes(sizes []int) error {
	for i, n := range sizes {
		if n < 2 {
			return &badinput.Error{What: fmt.Sprintf("--sizes %d: a support set has two classes", n), Fix: "write 2 or more"}
		}
		if slices.Contains(sizes[:i], n) {
			return &badinput.Error{What: fmt.Sprintf("--sizes has %d twice", n), Fix: "write each size once"}
		}
	}
	return nil
}

func (f *benchmarkFlags) check() error {
	if err := checkSizes(f.sizes); err != nil {
		return err
	}
	if len(f.sizes) == 0 || f.draws < 1 {
		return &badinput.Error{What: fmt.Sprintf("--results with %d sizes and %d draws", len(f.sizes), f.draws), Fix: "write at least one of each"}
	}
	return nil
}

// run tests the model. It writes the table of each task as soon as the task is tested,
// and the summary at the end.
func (f *benchmarkFlags) run(ctx context.Context, files []string, o config.Options, rows *predictions, past request.Past) (b protocolTest, err error) {
	var records []fsmol.Record
	if f.against != "" {
		if records, err = fsmol.ReadRecords(ctx, f.against); err != nil {
			return b, err
		}
	}
	if rows.file != "" && inside(rows.file, f.results) {
		what := "--predictions " + rows.file + " is in the folder of --results, which has tables of its own"
		return b, &badinput.Error{What: what, Fix: "write another name"}
	}
	err = withTests(ctx, files, o, rows, past, func(t *tested) (err error) {
		if err := f.checkOutputs(t); err != nil {
			return err
		}
		t.describe()
		b = protocolTest{
			subject: t.subject, Dataset: t.data.Name, Episode: t.metas[0].Episode(), Seed: uint32(t.cfg.Seed), Draws: f.draws,
			SameData: t.sameData(), results: f.results,
		}
		begun := time.Now()
		options := evaluate.BenchmarkOptions{Seed: b.Seed, Sizes: f.sizes, Draws: f.draws, Controls: t.controls()}
		err = rows.during(ctx, t, func(row func(evaluate.Tested) error) (err error) {
			options.Each = row
			b.Queries, err = evaluate.Benchmark(ctx, t.adapters(), t.data, t.tasks, options, func(of evaluate.BenchmarkedTask) error {
				b.tasks = append(b.tasks, of)
				return fsmol.WriteResults(f.results, of.Task, of.Results)
			})
			return err
		})
		if err != nil {
			return err
		}
		b.History, b.Seconds = t.past.figures(), time.Since(begun).Seconds()
		for _, size := range f.sizes {
			b.Sizes = append(b.Sizes, b.score(size))
		}
		if f.against != "" {
			if err := b.compare(f.against, records); err != nil {
				return err
			}
		}
		tables := each.Of(b.tasks, func(t evaluate.BenchmarkedTask) fsmol.TaskResults { return t.TaskResults })
		return fsmol.WriteSummary(b.summary(), tables, f.sizes...)
	})
	return b, err
}

// checkOutputs makes the folder of the results, and refuses outputs that are inputs or that this program did not write.
func (f *benchmarkFlags) checkOutputs(t *tested) error {
	names := each.Of(t.tasks, func(number int) string { return t.data.Tasks[number].Name })
	if err := fsmol.CheckResults(names); err != nil {
		return err
	}
	if err := os.MkdirAll(f.results, 0o777); err != nil {
		return &badinput.Error{What: "cannot make the folder of the results", Err: err, Fix: "write another --results"}
	}
	return cmp.Or(fsmol.CheckFolder(f.results, names), fsmol.CheckOutputs(f.results, names, f.against))
}

func (b *protocolTest) summary() string { return filepath.Join(b.results, fsmol.SummaryFile) }

// score returns the means over all draws of one size.
func (b *protocolTest) score(size int) sizeScore {
	found := b.found(size)
	s := sizeScore{Support: size, LeftOut: len(b.tasks) * b.Draws}
	for _, t := range found {
		s.Draws += t.Draws
	}
	s.Tasks, s.LeftOut = len(found), s.LeftOut-s.Draws
	if s.Tasks == 0 {
		return s
	}
	s.Mean, s.StandardError = metrics.Mean(found), metrics.StandardError(found)
	s.Categories, s.Adaptivity = rundir.ByCategory(found), metrics.MeanAdaptivityOf(found)
	return s
}

// found returns each task's means over its draws of one size, without tasks that have no draw.
func (b *protocolTest) found(size int) (found []metrics.Figures) {
	for _, t := range b.tasks {
		if f, ok := t.Figures[size]; ok {
			found = append(found, f)
		}
	}
	return found
}

func (b *protocolTest) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, b)
	}
	w := ui.NewTable(out)
	w.Line("%s, on %s by FS-Mol's protocol, %s of each task and size, seeds from %d\n",
		b.title(b.Episode), b.Dataset, ui.Count(b.Draws, "draw"), b.Seed)
	if !b.SameData {
		w.Line("note: %s trained on other files\n", b.others())
	}
	w.Line("support\ttasks\tdraws\tleft out\t%s", metricsHead())
	for _, s := range b.Sizes {
		if s.Tasks == 0 {
			w.Line("%d\t0\t0\t%d\t%s", s.Support, s.LeftOut, metricsCells(nil, nil, 0))
			continue
		}
		w.Line("%d\t%d\t%d\t%d\t%s", s.Support, s.Tasks, s.Draws, s.LeftOut, metricsCells(s.Mean, s.StandardError, s.Tasks))
	}
	b.writeSupplement(w)
	b.writeAgainst(w)
	b.History.write(w)
	w.Line("\nmeans over the tasks ± standard error; %s molecules ranked in %s: %s", ui.Grouped(b.Queries), ui.Seconds(b.Seconds), b.summary())
	return w.Flush()
}

// writeSupplement prints, for each size, the means by category of tasks and the adaptivity.
func (b *protocolTest) writeSupplement(w *ui.Table) {
	var categories []categoryTable
	var measured *metrics.Adaptivity // the first
	for _, s := range b.Sizes {
		categories = append(categories, categoryTable{strconv.Itoa(s.Support) + "\t", s.Categories})
		measured = cmp.Or(measured, s.Adaptivity)
	}
	writeCategories(w, "support\t", metrics.NameDeltaAUPRC, categories...)
	if measured == nil {
		return
	}
	for _, metric := range metrics.Names() {
		w.Line("\nadaptivity, %s\nsupport\t%s\tdraws", metrics.Title(metric), adaptivityHead)
		for _, s := range b.Sizes {
			if s.Adaptivity != nil {
				w.Line("%d\t%s\t%d", s.Support, adaptivityCells(s.Adaptivity, metric), s.Adaptivity.Draws)
			}
		}
	}
	for _, s := range b.Sizes {
		if text := s.Adaptivity.DepthText(); text != "" {
			w.Line("with %d support molecules, %s", s.Support, text)
		}
	}
	plain := *measured
	plain.Depths = nil
	writeAdaptivityNotes(w, &plain)
}
