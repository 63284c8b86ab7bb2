package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/report/scores"
	"pacia/run/rundir"
)

// bothMetrics are the columns of metrics: of the model chosen on validation tasks or, if there are
// no validation tasks, of the last model.
var bothMetrics = []struct {
	name, title string
	run         func(rundir.Summary) *float64
	task        func(rundir.TaskSummary) *float64
}{
	{"roc_auc", "ROC-AUC (%)",
		func(s rundir.Summary) *float64 { return cmp.Or(s.AUCValidationSelected, unlessZero(s.AUCLast)) },
		func(t rundir.TaskSummary) *float64 { return cmp.Or(t.ValidationSelected, unlessZero(t.Last)) }},
	{"delta_auprc", "ΔAUPRC (%)",
		func(s rundir.Summary) *float64 { return cmp.Or(s.DeltaValidationSelected, s.DeltaLast) },
		func(t rundir.TaskSummary) *float64 { return cmp.Or(t.DeltaValidationSelected, t.DeltaLast) }},
}

// unlessZero returns the ROC-AUC of a summary, nil if it was not measured, which summaries record as 0.
func unlessZero(auc float64) *float64 {
	if auc == 0 {
		return nil
	}
	return &auc
}

// overSeeds returns a metric of a group with the interval over its tasks; nil if a run lacks it.
func overSeeds(g Group, ofRun func(rundir.Summary) *float64, ofTask func(rundir.TaskSummary) *float64) *Spread {
	var values []float64
	for _, run := range g.Runs {
		v := ofRun(run.Summary)
		if v == nil {
			return nil
		}
		values = append(values, *v)
	}
	s := spread(values)
	if tasks := g.taskMeans(ofTask); len(tasks) == len(g.Tasks) {
		s.over(tasks)
	}
	return &s
}

// A cost is the time that a configuration takes, in seconds; NaN if it was not measured.
type cost struct {
	training float64 // of a run with its evaluations: the median over seeds
	adapting float64 // to a task: the median over the test tasks
	ranking  float64 // of 1,000 molecules: the median over the test tasks
}

// costOf returns the times of a group: training from its runs, the others from the measurements of s.
func (s Section) costOf(g Group) cost {
	c := cost{math.NaN(), math.NaN(), math.NaN()}
	if g.Runs[0].Summary.Episodes > 0 {
		all := each.Of(g.Runs, func(run rundir.Run) float64 { return run.Summary.Seconds })
		c.training = median(all)
	}
	at := slices.IndexFunc(s.Measured, func(m Measured) bool { return m.Label == g.Label })
	if at < 0 {
		return c
	}
	c.adapting = medianOf(s.Measured[at].Tasks, func(t scores.Task) float64 { return t.Adapting.Seconds() })
	c.ranking = medianOf(s.Measured[at].Tasks, func(t scores.Task) float64 { return 1000 * t.Ranking.Seconds() / float64(len(t.Scores)) })
	return c
}

func medianOf(tasks []scores.Task, of func(scores.Task) float64) float64 {
	var all []float64
	for _, t := range tasks {
		if t.Ranking > 0 && len(t.Scores) > 0 {
			all = append(all, of(t))
		}
	}
	return median(all)
}

// median returns the median of values, NaN if there are none.
func median(all []float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// costsNote explains the columns.
const costsNote = "Both metrics of the test tasks, of the model chosen on validation tasks, or of the last model if there were none. Adapted parameters are those that are set for a task. " +
	"Training is the time of the run with its evaluations, the median over seeds, under any other load of the machine. Adapting to a task and ranking 1,000 molecules are medians over the test tasks, " +
	"measured with the best model of the first seed while this report was made, without parsing."

// costs returns the table of both metrics, parameters and times of each configuration.
func (s Section) costs() Table {
	t := Table{
		Name:  "costs",
		Title: "Both metrics, parameters and seconds",
		Head:  []string{"configuration", "seeds", bothMetrics[0].title, bothMetrics[1].title, "parameters", "adapted", "training (s)", "adapting (s)", "ranking 1,000 (s)"},
		Notes: []string{costsNote},
	}
	for _, g := range s.Groups {
		c, first := s.costOf(g), g.Runs[0].Summary
		t.Rows = append(t.Rows, []string{g.Label, strconv.Itoa(len(g.Runs)),
			overSeeds(g, bothMetrics[0].run, bothMetrics[0].task).String(), overSeeds(g, bothMetrics[1].run, bothMetrics[1].task).String(),
			ui.Grouped(first.Total), ui.Grouped(first.Adaptive), short(c.training), short(c.adapting), short(c.ranking)})
	}
	return t
}

// short formats a number of seconds with at least two digits.
func short(v float64) string {
	switch {
	case math.IsNaN(v):
		return none
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// writeCosts writes a line for each group; metrics are in per cent.
func (r *Report) writeCosts(w io.Writer) error {
	columns := []string{"seeds"}
	for _, m := range bothMetrics {
		columns = append(columns, m.name, m.name+"_standard_deviation", m.name+"_ci95_low", m.name+"_ci95_high")
	}
	columns = append(columns, "parameters", "adapted", "training_seconds", "adapting_seconds", "ranking_1000_seconds")
	return r.writeSections(w, columns, func(s Section, row rower) {
		for _, g := range s.Groups {
			cells := []string{strconv.Itoa(len(g.Runs))}
			for _, m := range bothMetrics {
				v := value(overSeeds(g, m.run, m.task))
				cells = append(cells, cell(v.Mean), cell(v.Deviation), cell(v.Low), cell(v.High))
			}
			c, first := s.costOf(g), g.Runs[0].Summary
			row(g.Label, append(cells, strconv.Itoa(first.Total), strconv.Itoa(first.Adaptive), seconds(c.training), seconds(c.adapting), seconds(c.ranking))...)
		}
	})
}

// seconds formats a cell with four significant digits; it is empty for NaN.
func seconds(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
