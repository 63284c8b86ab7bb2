package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/report/scores"
)

// A Measured holds measurements with the best model of a group's first seed.
type Measured struct {
	Label string // of the group
	Short string // in legends
	Seed  uint64
	Tasks []scores.Task
}

func (m Measured) enrichment() []metrics.Enrichment {
	return each.Of(m.Tasks, func(t scores.Task) metrics.Enrichment { return metrics.EnrichmentOf(t.Labels, t.Scores) })
}

// enrichmentFigures are the columns of a table of enrichment.
var enrichmentFigures = []struct {
	name, title string
	fixed       bool // depends only on the task, so it has no interval
	figure      func(metrics.Enrichment) float64
}{
	{"active_share", "actives (%)", true, func(e metrics.Enrichment) float64 { return 100 * float64(e.Actives) / float64(e.Molecules) }},
	{"ef1", "EF 1 %", false, func(e metrics.Enrichment) float64 { return e.Factor }},
	{"ef1_largest", "largest EF 1 %", true, func(e metrics.Enrichment) float64 {
		first := math.Ceil(metrics.EarlyShare * float64(e.Molecules))
		return min(1, float64(e.Actives)/first) * float64(e.Molecules) / float64(e.Actives)
	}},
	{"bedroc20", "BEDROC (α = 20)", false, func(e metrics.Enrichment) float64 { return e.BEDROC }},
	{"hits100", "hits in the first 100", false, func(e metrics.Enrichment) float64 { return e.Hits }},
	{"hits100_random", "hits at random", true, func(e metrics.Enrichment) float64 {
		return float64(min(metrics.EarlyFirst, e.Molecules)) * float64(e.Actives) / float64(e.Molecules)
	}},
}

// enrichmentNote explains the table.
const enrichmentNote = "Means over the test tasks [95 % interval by bootstrap of the tasks], of the best model of each configuration's first seed. " +
	"EF 1 % is the share of actives among the first 1 % of a task's molecules, divided by the share among all: 1 is chance, and the next column has the largest possible value. " +
	"BEDROC (Truchon and Bayly 2007) is 1 if all actives come first, 0 if they come last."

// earlyEnrichment returns the table of early enrichment. CSV has a line for each measured model and test task.
func (s Section) earlyEnrichment() Table {
	t := Table{Title: "Early enrichment on the test tasks", Notes: []string{enrichmentNote}}
	t.columns = []column{in("configuration", "configuration"), in("seed", "seed"), shown("tasks"), filed("task", "molecules", "actives")}
	for _, f := range enrichmentFigures {
		t.columns = append(t.columns, in(f.title, f.name))
	}
	for _, m := range s.Measured {
		key, all := row{word(m.Label), word(strconv.FormatUint(m.Seed, 10)), count(len(m.Tasks))}, m.enrichment()
		means := append(slices.Clone(key), cell{})
		for _, f := range enrichmentFigures {
			v := enriched(all, f.figure)
			if f.fixed {
				v.Low = math.NaN()
			}
			means = append(means, cell{text: v.plain()})
		}
		t.rows = append(t.rows, means)
		for i, e := range all {
			cells := append(slices.Clone(key), fields(m.Tasks[i].Name, strconv.Itoa(e.Molecules), strconv.Itoa(e.Actives)))
			for _, f := range enrichmentFigures {
				cells = append(cells, fields(decimal(f.figure(e))))
			}
			t.line(cells...)
		}
	}
	return t
}

// enriched returns the mean over tasks with its interval.
func enriched(all []metrics.Enrichment, of func(metrics.Enrichment) float64) *Spread {
	values, sum := make([]float64, len(all)), 0.0
	for i, e := range all {
		values[i] = of(e)
		sum += values[i] / float64(len(all))
	}
	s := spread([]float64{sum})
	s.over(values)
	return &s
}

// plain formats the mean and its interval, not in per cent, with about three digits.
func (s *Spread) plain() string {
	write := func(v float64) string {
		digits := 3
		for limit := 1.0; digits > 1 && math.Abs(v) >= limit; limit *= 10 {
			digits--
		}
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	if math.IsNaN(s.Mean) {
		return none
	}
	if math.IsNaN(s.Low) {
		return write(s.Mean)
	}
	return fmt.Sprintf("%s [%s, %s]", write(s.Mean), write(s.Low), write(s.High))
}
