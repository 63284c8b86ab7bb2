package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/report/scores"
	"pacia/run/rundir"
)

// overSeeds returns a metric of a group with the interval over its tasks, of the model chosen on validation tasks or, if
// there are no validation tasks, of the last model; nil if a run lacks it.
func overSeeds(g Group, metric string) *Spread {
	var values []float64
	for _, run := range g.Runs {
		v := cmp.Or(run.Summary.ValidationSelected.Find(metric), run.Summary.Last.Find(metric))
		if v == nil {
			return nil
		}
		values = append(values, *v)
	}
	s := spread(values)
	tasks := g.taskMeans(func(t rundir.TaskSummary) *float64 {
		return cmp.Or(t.ValidationSelected.Find(metric), t.Last.Find(metric))
	})
	if len(tasks) == len(g.Tasks) {
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
const costsNote = "All metrics of the test tasks, of the model chosen on validation tasks, or of the last model if there were none. Adapted parameters are those that are set for a task. " +
	"Training is the time of the run with its evaluations, the median over seeds, under any other load of the machine. Adapting to a task and ranking 1,000 molecules are medians over the test tasks, " +
	"measured with the best model of the first seed while this report was made, without parsing."

// large returns the cell of a number, in documents with commas.
func large(n int) cell { return cell{text: ui.Grouped(n), fields: []string{strconv.Itoa(n)}} }

// seconds returns the cell of a time.
func seconds(v float64) cell { return cell{text: short(v), fields: []string{digits(v, 'g')}} }

// costs returns the table of all metrics, parameters and times of each configuration.
func (s Section) costs() Table {
	t := Table{Title: "Metrics, parameters and seconds", Notes: []string{costsNote}}
	t.columns = []column{in("configuration", "configuration"), in("seeds", "seeds")}
	for i, name := range metrics.Names() {
		t.columns = append(t.columns, in(metrics.All[i].Title+" (%)", name, name+"_standard_deviation", name+"_ci95_low", name+"_ci95_high"))
	}
	t.columns = append(t.columns, in("parameters", "parameters"), in("adapted", "adapted"), in("training (s)", "training_seconds"),
		in("adapting (s)", "adapting_seconds"), in("ranking 1,000 (s)", "ranking_1000_seconds"))
	for _, g := range s.Groups {
		c, first := s.costOf(g), g.Runs[0].Summary
		cells := row{word(g.Label), count(len(g.Runs))}
		for _, name := range metrics.Names() {
			s := overSeeds(g, name)
			v := value(s)
			cells = append(cells, cell{text: s.String(), fields: percents(v.Mean, v.Deviation, v.Low, v.High)})
		}
		t.add(append(cells, large(first.Total), large(first.Adaptive), seconds(c.training), seconds(c.adapting), seconds(c.ranking))...)
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
