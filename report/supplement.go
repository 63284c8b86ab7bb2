package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pacia/data/source/fsmol/targets"
	"pacia/metrics"
	"pacia/run/rundir"
)

// A Table is a table below the main table of a section.
type Table struct {
	Name  string // of its files
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // complete sentences
	// Points are sentences that follow the notes as a list.
	Points []string
}

func (s Section) supplement() (all []Table) {
	for _, t := range []Table{s.costs(), s.publishedTable(), s.adaptivity(), s.categories(), s.compared(), s.earlyEnrichment()} {
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// An adaptivity is the adaptivity of a group's selected models, by the metric of its section.
type adaptivity struct {
	figures []namedSpread
	depths  string
	static  bool
	known   string
}

// namedSpread is a figure with its name in adaptivity.csv.
type namedSpread struct {
	name string
	*Spread
}

// adaptivityOf combines the seeds of a group; ok is false if a seed did not measure adaptivity.
func adaptivityOf(g Group, metric string) (a adaptivity, ok bool) {
	all := make([]*metrics.Adaptivity, len(g.Runs))
	for i, run := range g.Runs {
		if all[i] = run.Summary.Adaptivity; all[i] == nil {
			return a, false
		}
	}
	for _, figure := range []struct {
		name string
		of   func(*metrics.Adaptivity) metrics.Values
	}{
		{"own_support", func(a *metrics.Adaptivity) metrics.Values { return a.Own }},
		{"swapped_labels", func(a *metrics.Adaptivity) metrics.Values { return a.Swapped }},
		{"adaptivity", func(a *metrics.Adaptivity) metrics.Values { return a.Adaptivity }},
		{"foreign_support", func(a *metrics.Adaptivity) metrics.Values { return a.Foreign }},
		{"static_score", func(a *metrics.Adaptivity) metrics.Values { return a.Static }},
	} {
		var values []float64
		for _, found := range all {
			if v := figure.of(found).Find(metric); v != nil {
				values = append(values, *v)
			}
		}
		named := namedSpread{name: figure.name}
		if len(values) == len(all) {
			over := spread(values)
			over.over(g.taskMeans(func(t rundir.TaskSummary) *float64 {
				if t.Adaptivity == nil {
					return nil
				}
				return figure.of(t.Adaptivity).Find(metric)
			}))
			named.Spread = &over
		}
		a.figures = append(a.figures, named)
	}
	a.static = a.figures[4].Spread != nil
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

// adaptivity returns the table of the selected models' adaptivity.
func (s Section) adaptivity() Table {
	t := Table{
		Name:  "adaptivity",
		Title: "Adaptivity of the selected models, test " + s.MetricName(),
		Head:  []string{"configuration", "seeds", "own support set", "its labels swapped", "adaptivity", "another task's support set", "static score", "depth of the relation graph", "molecules"},
		Notes: []string{metrics.AdaptivityNote},
	}
	static := false
	for _, g := range s.Groups {
		a, ok := adaptivityOf(g, s.Metric)
		if !ok {
			continue
		}
		row := []string{g.Label, strconv.Itoa(len(g.Runs))}
		for _, figure := range a.figures {
			row = append(row, figure.String())
		}
		a.depths = cmp.Or(a.depths, none)
		t.Rows, static = append(t.Rows, append(row, a.depths, a.known)), static || a.static
	}
	if static {
		t.Notes = append(t.Notes, metrics.StaticNote)
	}
	return t
}

// categories returns the table of the means over the test tasks of each category.
func (s Section) categories() Table {
	t := Table{
		Name:  "categories",
		Title: "Test " + s.MetricName() + " by category of tasks",
		Head:  []string{"configuration", "category", "tasks", "last model", "chosen on validation", "best on test (selected on the test tasks)", "published"},
		Notes: []string{rundir.CategoryNote},
	}
	for _, g := range s.Groups {
		for _, c := range g.byCategory() {
			row := []string{g.Label, c.name, strconv.Itoa(c.tasks), c.Last.String(), c.Validation.String(), c.Test.String(), none}
			if p := c.published; p != nil {
				row[6] = fmt.Sprintf("%s %.1f ± %.1f, %s", p.Method, p.Mean, p.Deviation, p.Source)
			}
			t.Rows = append(t.Rows, row)
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

// writeAdaptivity writes a line for each group and figure, in per cent.
func (r *Report) writeAdaptivity(w io.Writer) error {
	return r.writeSections(w, append([]string{"figure"}, spreadColumns...), func(s Section, row rower) {
		for _, g := range s.Groups {
			a, _ := adaptivityOf(g, s.Metric)
			for _, figure := range a.figures {
				if figure.Spread != nil {
					row(g.Label, append([]string{figure.name}, figure.cells()...)...)
				}
			}
		}
	})
}

// writeCategories writes a line for each group, category and selection, in per cent.
func (r *Report) writeCategories(w io.Writer) error {
	return r.writeSections(w, append([]string{"category", "tasks", "selection"}, spreadColumns...), func(s Section, row rower) {
		for _, g := range s.Groups {
			for _, c := range g.byCategory() {
				for _, selection := range selections {
					if figure := selection.of(c.Selected); figure != nil {
						row(g.Label, append([]string{c.name, strconv.Itoa(c.tasks), selection.name}, figure.cells()...)...)
					}
				}
			}
		}
	})
}
