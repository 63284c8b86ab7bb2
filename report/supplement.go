package report

import (
	"cmp"
	"fmt"
	"slices"

	"pacia/data/source/fsmol/targets"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/run/rundir"
)

// An adaptivity is the adaptivity of a group's selected models, by the metric of its section.
type adaptivity struct {
	figures []*Spread // of adaptivityFigures; nil if a seed lacks it
	depths  string
	known   string
}

// static returns the static score; nil without one.
func (a adaptivity) static() *Spread {
	if len(a.figures) == 0 {
		return nil
	}
	return a.figures[len(a.figures)-1]
}

// adaptivityFigures are the figures with their names in adaptivity.csv.
var adaptivityFigures = []struct {
	name, title string
	values      func(*metrics.Adaptivity) metrics.Values
}{
	{"own_support", "own support set", func(a *metrics.Adaptivity) metrics.Values { return a.Own }},
	{"swapped_labels", "its labels swapped", func(a *metrics.Adaptivity) metrics.Values { return a.Swapped }},
	{"adaptivity", "adaptivity", func(a *metrics.Adaptivity) metrics.Values { return a.Adaptivity }},
	{"foreign_support", "another task's support set", func(a *metrics.Adaptivity) metrics.Values { return a.Foreign }},
	{"static_score", "static score", func(a *metrics.Adaptivity) metrics.Values { return a.Static }},
}

// adaptivityOf combines the seeds of a group; ok is false if a seed did not measure adaptivity.
func adaptivityOf(g Group, metric string) (a adaptivity, ok bool) {
	all := make([]*metrics.Adaptivity, len(g.Runs))
	for i, run := range g.Runs {
		if all[i] = run.Summary.Adaptivity; all[i] == nil {
			return a, false
		}
	}
	for _, figure := range adaptivityFigures {
		var values []float64
		for _, found := range all {
			if v := figure.values(found).Find(metric); v != nil {
				values = append(values, *v)
			}
		}
		var combined *Spread
		if len(values) == len(all) {
			over := spread(values)
			over.over(g.taskMeans(func(t rundir.TaskSummary) *float64 {
				if t.Adaptivity == nil {
					return nil
				}
				return figure.values(t.Adaptivity).Find(metric)
			}))
			combined = &over
		}
		a.figures = append(a.figures, combined)
	}
	mean := metrics.MeanAdaptivity(all)
	a.depths, a.known = mean.DepthText(), mean.KnownText()
	return a, true
}

// taskMeans returns the means of a figure over seeds, for each task that has it for all seeds.
func (g Group) taskMeans(of func(rundir.TaskSummary) *float64) (all []float64) {
	sums, seeds := map[string]float64{}, map[string]int{}
	for _, run := range g.Runs {
		for _, t := range run.Summary.PerTask {
			if v := of(t); v != nil {
				sums[t.Task] += *v
				seeds[t.Task]++
			}
		}
	}
	for _, t := range g.Tasks {
		if n := seeds[t.Name]; n == len(g.Runs) {
			all = append(all, sums[t.Name]/float64(n))
		}
	}
	return all
}

// adaptivity returns the table of the selected models' adaptivity. CSV has a line for each group and figure, in per cent.
func (s Section) adaptivity() Table {
	t := Table{Title: "Adaptivity of the selected models, test " + s.MetricName(), Notes: []string{metrics.AdaptivityNote}, by: "figure"}
	t.columns = []column{in("configuration", "configuration"), shown("seeds")}
	for _, figure := range adaptivityFigures {
		t.columns = append(t.columns, column{title: figure.title, figure: figure.name})
	}
	t.columns = append(t.columns, shown("depth of the relation graph"), shown("molecules"))
	static := false
	for _, g := range s.Groups {
		a, ok := adaptivityOf(g, s.Metric)
		if !ok {
			continue
		}
		cells := append(row{word(g.Label), count(len(g.Runs))}, each.Of(a.figures, spreadCell)...)
		t.add(append(cells, word(cmp.Or(a.depths, none)), word(a.known))...)
		static = static || a.static() != nil
	}
	if static {
		t.Notes = append(t.Notes, metrics.StaticNote)
	}
	return t
}

// categories returns the table of the means over the test tasks of each category. CSV has a line for each group, category
// and selection, in per cent.
func (s Section) categories() Table {
	t := Table{Title: "Test " + s.MetricName() + " by category of tasks", Notes: []string{rundir.CategoryNote}, by: "selection"}
	key := []column{in("configuration", "configuration"), in("category", "category"), in("tasks", "tasks")}
	t.columns = slices.Concat(key, selectionColumns(), []column{shown("published")})
	for _, g := range s.Groups {
		for _, c := range g.byCategory() {
			published := none
			if p := c.published; p != nil {
				published = fmt.Sprintf("%s %.1f ± %.1f, %s", p.Method, p.Mean, p.Deviation, p.Source)
			}
			t.add(slices.Concat(row{word(g.Label), word(c.name), count(c.tasks)}, c.figures(), row{word(published)})...)
		}
	}
	return t
}

// category holds the means over a group's tasks of one category.
type category struct {
	name  string
	tasks int // number of tasks of the first seed
	Selected
	published *Published
}

// byCategory returns the means of a group of runs by the categories of the first seed's
// tasks; nil if its tasks have no categories.
func (g Group) byCategory() (all []category) {
	of := make([]map[string][]found, len(g.Runs))
	for i, run := range g.Runs {
		of[i] = map[string][]found{}
		for _, c := range grouped(run.Summary) {
			for _, at := range c.Tasks {
				of[i][c.Name] = append(of[i][c.Name], foundOn(run.Summary, run.Summary.PerTask[at]))
			}
		}
	}
	for _, first := range grouped(g.Runs[0].Summary) {
		means := make([]found, len(g.Runs))
		for i := range g.Runs {
			means[i] = meanFound(of[i][first.Name])
		}
		c := category{name: first.Name, tasks: len(first.Tasks), Selected: spreads(means)}
		c.overTasks(g.tasksOf(first))
		if g.Published != nil {
			c.published = g.Published.categories[c.name]
		}
		all = append(all, c)
	}
	return all
}

// tasksOf returns the tasks of a category that all seeds have.
func (g Group) tasksOf(c targets.Category) (all []Task) {
	for _, at := range c.Tasks {
		name := g.Runs[0].Summary.PerTask[at].Task
		if k := slices.IndexFunc(g.Tasks, func(t Task) bool { return t.Name == name }); k >= 0 {
			all = append(all, g.Tasks[k])
		}
	}
	return all
}

// grouped returns the categories of a run's test tasks.
func grouped(s rundir.Summary) []targets.Category {
	names, adaptivity := taskNames(s), make([]*metrics.Adaptivity, len(s.PerTask))
	for i, t := range s.PerTask {
		adaptivity[i] = t.Adaptivity
	}
	return rundir.Group(names, adaptivity)
}

func meanFound(all []found) found {
	s := spreads(all)
	of := func(s *Spread) *float64 {
		if s == nil || s.N == 0 {
			return nil
		}
		return &s.Mean
	}
	return found{of(s.Last), of(s.Validation), of(s.Test)}
}
