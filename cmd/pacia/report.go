package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/report"
)

func newReport() *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:   "report RUN…",
		Short: "Make tables and figures of finished runs, beside what was published",
		Long: `Make tables and figures of finished runs, beside published results.

A RUN is a folder that pacia train made, of one run or of replicas, or that of a
sweep. Runs that differ only in the seed are taken together: mean and standard
deviation over the seeds and the 95 % interval of the mean over the test tasks, by
bootstrap, for each way to select the model. Runs with other data sets, sizes of
support sets or metrics (train.metric) have tables of their own.

--out gets report.html, which is complete in itself, report.md, tables as CSV and,
for LaTeX with booktabs, as .tex, figures/ as SVG, PDF and PNG, and study.json. What an
earlier report left there and this one does not write again is removed; a file that no
report wrote is not overwritten. For the curves and depths the best model of each
configuration's first seed is measured again; if its data cannot be read, no report is
written: --set data.path=FILE names them, --no-scores does without.

The report looks into one model, that of the first run or of --study, on one test
task: its embeddings before and after each adaptation, relation graphs, single
queries.

--label gives a configuration's setting, a method, the axis of a setting or a task
another text, such as "rate 5e-4" for train.learning_rate=0.0005.`,
		Example: `  pacia report runs/tox21-ten --out report
  pacia report runs/sider runs/embedded-0 --skip-unfinished --out report
  pacia report runs/tox21-ten --task SR-p53 --study runs/tox21-ten/seed-3 --out report
  pacia report runs/rates --label "train.learning_rate=0.0005=rate 5e-4" --label "SR-p53=p53" --out report`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs folders of runs", Fix: "write pacia report RUN… --out FOLDER"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			defer leaveWhenAsked()()
			if o.dir == "" {
				return &badinput.Error{What: c.CommandPath() + " needs --out", Fix: "write --out FOLDER: it gets the report"}
			}
			return reportRuns(c, args, o)
		},
	}
	addSet(c, &o.settings)
	o.result.add(c)
	c.Flags().StringVar(&o.dir, "out", "", "`FOLDER` of the report")
	c.Flags().BoolVar(&o.skip, "skip-unfinished", false, "leave out runs that have not finished, and list them")
	c.Flags().BoolVar(&o.plain, "no-scores", false,
		"leave out the figures that need models to be measured again; excludes --study and --task")
	c.Flags().StringArrayVar(&o.labels, "label", nil, "`OLD=NEW`: a text in place of a setting with its value, a setting, a method or a task (repeatable)")
	c.Flags().StringVar(&o.study, "study", "", "`RUN` whose best model to look into (default the first); excludes --no-scores")
	c.Flags().StringVar(&o.task, "task", "", "`NAME` of the test task to look into (default SR-p53, or the first)")
	return c
}

// reportOptions holds the flags of pacia report.
type reportOptions struct {
	settings    config.Options
	dir         string
	skip, plain bool
	study, task string
	labels      []string
	result      asJSON
}

func reportRuns(c *cobra.Command, runs []string, o reportOptions) error {
	names, err := report.ParseNames(o.labels)
	if err != nil {
		return err
	}
	r, err := report.Read(runs, o.skip)
	if err != nil {
		return err
	}
	if err := cmp.Or(r.Rename(names), atomicfile.CheckFolder(o.dir), r.CheckFolder(o.dir), o.check(r)); err != nil {
		return err
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	ctx, loaded := showing(ctx, c)
	defer loaded()
	err = r.Draw(o.measures(ctx, c))
	if ctx.Err() != nil {
		return interrupted{"stopped; no report is written"}
	}
	if err != nil {
		return err
	}
	r.About = report.About{Version: version.Program(), Command: commandLine(os.Args), Made: time.Now()}
	if err := r.Write(o.dir); err != nil {
		return err
	}
	w := ui.NewTable(o.result.textOut(c))
	for _, s := range r.Sections {
		w.Line("%s: %s of test %s (%%), mean ± standard deviation over seeds [95 %% interval over tasks]", s.Name(), ui.Count(len(s.Groups), "configuration"), s.MetricName())
		w.Line("configuration\tseeds\tlast model\tchosen on validation\tbest on test\tpublished\tdifference")
		for _, g := range s.Groups {
			published, difference := "-", "-"
			if p := g.Published; p != nil {
				published, difference = fmt.Sprintf("%.2f ± %.2f", p.Mean, p.Deviation), g.DifferenceText()
			}
			w.Line("%s\t%d\t%s\t%s\t%s\t%s\t%s", g.Label, len(g.Runs), g.Last.String(), g.Validation.String(), g.Test.String(), published, difference)
		}
		for _, n := range s.Notes {
			w.Line("note: %s", n)
		}
		w.Line("")
	}
	for _, left := range r.LeftOut {
		w.Line("left out: %s", left)
	}
	if r.HasDelta() {
		w.Line("Best on test is selected on the test tasks themselves, as published ROC-AUCs are. The published ΔAUPRC is chosen on validation.")
	} else {
		w.Line("Best on test is selected on the test tasks themselves, as published figures are.")
	}
	w.Line("%s has report.html, report.md, figures and %s", o.dir, strings.Join(r.Files, ", "))
	if err := w.Flush(); err != nil {
		return err
	}
	return o.result.write(c, resultOf(r, o.dir))
}

// commandLine returns a command line that can be typed again.
func commandLine(args []string) string {
	words := []string{filepath.Base(args[0])}
	for _, a := range args[1:] {
		words = append(words, badinput.Path(a))
	}
	return strings.Join(words, " ")
}
