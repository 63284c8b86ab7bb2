package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"pacia/metrics"
)

// selections are the ways to choose the model, with their names in results.csv, titles in documents and members in JSON.
var selections = []selection{
	{ofLast, "last model", "last", func(s Selected) *Spread { return s.Last }},
	{onValidation, "chosen on validation", "validation_selected", func(s Selected) *Spread { return s.Validation }},
	{bestOnTest, "best on test (selected on the test tasks)", "best_on_test", func(s Selected) *Spread { return s.Test }},
}

type selection struct {
	name, title, member string
	spread              func(Selected) *Spread
}

// The ways to choose the model.
const (
	ofLast       = "last"
	onValidation = "validation"
	bestOnTest   = "best_on_test"
)

// selectionColumns are the columns of the figures of all selections.
func selectionColumns() (all []column) {
	for _, s := range selections {
		all = append(all, column{title: s.title, figure: s.name, member: s.member})
	}
	return all
}

// size formats a number of support molecules. It is empty for 0: the other of shots and support applies.
func size(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// spreadNames are the names in CSV of the fields of a Spread; ci95 is the interval of the mean over tasks.
var spreadNames = []string{"seeds", "mean", "standard_deviation", "ci95_low", "ci95_high", "lowest_seed", "highest_seed"}

func (s *Spread) fields() []string {
	return append([]string{strconv.Itoa(s.N)}, percents(s.Mean, s.Deviation, s.Low, s.High, slices.Min(s.Values), slices.Max(s.Values))...)
}

// percents returns the fields of figures in per cent.
func percents(all ...float64) (texts []string) {
	for _, v := range all {
		texts = append(texts, decimal(100*v))
	}
	return texts
}

// decimal formats a number with four decimals; it is empty for NaN.
func decimal(v float64) string { return digits(v, 'f') }

// digits formats a number with four decimals (f) or four digits (g); it is empty for NaN.
func digits(v float64, format byte) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, format, 4, 64)
}

// results returns the table of all groups. CSV has a line for each group and selection, in per cent.
func (s Section) results() Table {
	t := Table{Title: "Test " + s.MetricName(), by: "selection"}
	t.after = []string{"published", "published_standard_deviation", "difference", "source"}
	key := column{title: "configuration", names: []string{"configuration"}, member: "configuration"}
	t.columns = slices.Concat([]column{key, {title: "seeds", member: "seeds"}}, selectionColumns(),
		[]column{{title: "published", member: "published"}, {title: "difference", member: "difference"}})
	for i, g := range s.Groups {
		name, figures := word(g.Label), g.figures()
		if s.Numbers {
			name.text = fmt.Sprintf("%d: %s", i+1, g.Label)
		}
		published, difference := cell{text: s.publishedText(g)}, cell{text: none}
		if p := g.Published; p != nil {
			published = cell{text: fmt.Sprintf("%s %.2f ± %.2f, %s", p.Method, p.Mean, p.Deviation, p.Source), json: p.spread()}
			difference = cell{text: g.DifferenceText(), json: metrics.OrNil(g.Difference() / 100)}
			at := slices.IndexFunc(selections, func(c selection) bool { return c.name == p.Source.Selection })
			if f := &figures[at]; f.fields != nil {
				f.fields = append(f.fields, fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation), decimal(g.Difference()), p.Source.Name)
			}
		}
		t.add(slices.Concat(row{name, count(len(g.Runs))}, figures, row{published, difference})...)
	}
	return t
}

// perTask returns a table of CSV with a line for each group, test task and selection, in per cent.
func (s Section) perTask() Table {
	t := Table{by: "selection", columns: append([]column{filed("configuration"), filed("task")}, selectionColumns()...)}
	for _, g := range s.Groups {
		for _, task := range g.Tasks {
			t.line(append(row{word(g.Label), word(task.Name)}, task.figures()...)...)
		}
	}
	return t
}

// runs returns a table of CSV with a line for each run.
func (s Section) runs() Table {
	t := Table{columns: []column{filed("configuration", "seed", "folder", "episodes", "last", "validation", "best_on_test", "seconds")}}
	for _, g := range s.Groups {
		for _, run := range g.Runs {
			r, f := run.Summary, foundIn(run.Summary)
			texts := append([]string{g.Label, strconv.FormatUint(r.Seed, 10), run.Dir, strconv.Itoa(r.Episodes)},
				percents(orNaN(f.last), orNaN(f.validation), orNaN(f.best))...)
			t.line(fields(append(texts, strconv.FormatFloat(r.Seconds, 'f', 1, 64))...))
		}
	}
	return t
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
