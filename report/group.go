package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/report/study"
	"pacia/run/rundir"
)

// A Report holds the results of runs.
type Report struct {
	Sections []Section
	Across   []Figure     // figures over several sections
	Study    *study.Study // of one model; may be nil
	LeftOut  []string     // runs that were left out, with the reason
	names    Names
	About    About
	Files    []string // files with the numbers, beside the page
}

// A Section is the runs of one trial.
type Section struct {
	Trial
	Groups  []Group
	Numbers bool            // legends have the numbers of groups, from 1, because there is no room for what distinguishes labels
	Common  rundir.Settings // settings that differ from the preset in all groups
	Figures []Figure
	Notes   []string

	Measured []Measured // measurements with the best models; may be nil
	tables   []Table    // Write makes them
}

// A Group is runs that differ only in the seed, in the order of the seeds.
type Group struct {
	Label string   // see label
	parts []string // of the label
	Short string   // in legends; see shorten
	Runs  []rundir.Run
	Selected
	Tasks     []Task     // the tasks for which all runs have figures
	Published *Published // of the same model; may be nil
	Named     *Published // of the same method with any network; may be nil
	// Other reports whether there is a published figure for these tasks, but not for this model.
	// Unlike reports whether there is one for its method, from which this model differs by Departures.
	Other, Unlike bool
	Departures    rundir.Settings
}

// A Task is a test task of a group.
type Task struct {
	Name string
	Selected
}

// Difference returns the figure of the model that was chosen in the same way as the published one, minus the
// published figure, in per cent; NaN if either is missing.
func (g Group) Difference() float64 {
	if g.Published == nil {
		return math.NaN()
	}
	for _, s := range selections {
		if v := s.spread(g.Selected); s.name == g.Published.Source.Selection && v != nil {
			return 100*v.Mean - g.Published.Mean
		}
	}
	return math.NaN()
}

// apart are the settings in which runs of one group may differ, because they do not affect what is
// learnt.
var apart = []string{"seed", "device", "threads", "data.absolute_path", "data.cache", "train.replicas", "train.checkpoint_every",
	"train.adaptivity", "train.adaptivity_draws", "train.adaptivity_queries"}

// Read reads the runs in these folders, which may also be folders of replicas or sweeps.
// An unfinished run is a *badinput.Error or, with skipUnfinished, left out.
func Read(dirs []string, skipUnfinished bool) (*Report, error) {
	r := &Report{}
	groups := map[string]*group{}
	seen := map[string]bool{}
	for _, dir := range dirs {
		runs, err := rundir.Expand(dir)
		if err != nil {
			return nil, err
		}
		for _, dir := range runs {
			if seen[filepath.Clean(dir)] {
				continue // named directly and through the folder that contains it
			}
			seen[filepath.Clean(dir)] = true
			run, err := rundir.Read(dir)
			if err != nil && skipUnfinished && badinput.Is(err) {
				r.LeftOut = append(r.LeftOut, err.Error())
				continue
			}
			if err != nil {
				return nil, err
			}
			key := fmt.Sprintf("%s %d\n%s", run.Summary.Dataset, run.Summary.Shots, run.Settings.Without(apart...))
			if groups[key] == nil {
				groups[key] = &group{order: len(groups)}
			}
			groups[key].runs = append(groups[key].runs, run)
		}
	}
	if len(groups) == 0 {
		return nil, &badinput.Error{What: "there is no finished run to report on", Fix: "name folders of finished runs"}
	}
	ordered := make([]*group, 0, len(groups))
	for _, g := range groups {
		ordered = append(ordered, g)
	}
	slices.SortFunc(ordered, func(a, b *group) int { return cmp.Compare(a.order, b.order) })
	return r, r.arrange(ordered)
}

// group is a Group that is being collected.
type group struct {
	order int
	runs  []rundir.Run
}

// arrange puts the groups into sections.
func (r *Report) arrange(groups []*group) error {
	at := map[Trial]int{}
	first := map[string]source{} // of each data set
	for _, g := range groups {
		if err := g.check(); err != nil {
			return err
		}
		t := trialOf(g.runs[0].Summary)
		for _, run := range g.runs {
			if err := sameData(first, run); err != nil {
				return err
			}
		}
		if _, ok := at[t]; !ok {
			at[t] = len(r.Sections)
			r.Sections = append(r.Sections, Section{Trial: t})
		}
		section := &r.Sections[at[t]]
		section.Groups = append(section.Groups, g.summarise())
	}
	for i := range r.Sections {
		r.Sections[i].describe(nil)
	}
	return nil
}

// check returns an error for two runs with the same seed, and for runs with different tasks.
func (g *group) check() error {
	slices.SortStableFunc(g.runs, func(a, b rundir.Run) int { return cmp.Compare(a.Summary.Seed, b.Summary.Seed) })
	for i := 1; i < len(g.runs); i++ {
		a, b := g.runs[i-1], g.runs[i]
		if a.Summary.Seed == b.Summary.Seed {
			return &badinput.Error{File: b.Dir, What: fmt.Sprintf("the run has the settings and the seed %d of %s", b.Summary.Seed, a.Dir), Fix: "leave one of them out"}
		}
		// A task that is too small for a stratified draw may be left out for a single seed.
		if trialOf(a.Summary).Support == 0 && !slices.Equal(taskNames(a.Summary), taskNames(b.Summary)) {
			return &badinput.Error{File: b.Dir, What: "the run has other test tasks than " + a.Dir + ", with the same settings", Fix: "report on them apart"}
		}
		if testedAlways(a.Summary) && (foundIn(a.Summary).validation == nil) != (foundIn(b.Summary).validation == nil) {
			return &badinput.Error{File: b.Dir, What: "the run has other validation tasks than " + a.Dir + ", with the same settings", Fix: "report on them apart"}
		}
	}
	return nil
}

func taskNames(s rundir.Summary) []string {
	return each.Of(s.PerTask, func(t rundir.TaskSummary) string { return t.Task })
}

func (g *group) summarise() Group {
	all := Group{Runs: g.runs}
	first := g.runs[0].Summary
	means := make([]found, len(g.runs))
	tasks := 0
	for i, r := range g.runs {
		means[i], tasks = foundIn(r.Summary), max(tasks, len(r.Summary.PerTask))
	}
	all.Selected = spreads(means)
	for _, t := range first.PerTask {
		if of := g.onTask(t.Task); of != nil {
			all.Tasks = append(all.Tasks, Task{t.Task, spreads(of)})
		}
	}
	all.overTasks(all.Tasks)
	t, settings := publishedTrial(first), g.runs[0].Settings
	if all.Published = findPublished(t, tasks, settings); all.Published != nil {
		departing, known := unpublished(settings, t)
		if all.Unlike = !known || len(departing) > 0; all.Unlike {
			all.Published, all.Departures = nil, departing
		}
	}
	all.Named = findNamed(t, tasks, settings)
	all.Other = all.Published == nil && anyPublished(t, tasks, settings)
	return all
}

// onTask returns each run's figures for a test task; nil if a run lacks the task.
func (g *group) onTask(name string) (all []found) {
	for _, r := range g.runs {
		at := slices.IndexFunc(r.Summary.PerTask, func(t rundir.TaskSummary) bool { return t.Task == name })
		if at < 0 {
			return nil
		}
		all = append(all, foundOn(r.Summary, r.Summary.PerTask[at]))
	}
	return all
}

// spreads combines the figures of several seeds. It leaves out a figure that a seed lacks, because a mean over
// the other seeds would be biased.
func spreads(all []found) Selected {
	over := func(of func(found) *float64) *Spread {
		values := make([]float64, len(all))
		for i, f := range all {
			v := of(f)
			if v == nil {
				return nil
			}
			values[i] = *v
		}
		s := spread(values)
		return &s
	}
	return Selected{over(func(f found) *float64 { return f.last }), over(func(f found) *float64 { return f.validation }), over(func(f found) *float64 { return f.best })}
}

// describe labels the groups, with the texts of the user, and finds the settings that differ from the preset in all of them.
func (s *Section) describe(texts Names) {
	names, _ := differing(s.Groups)
	t := publishedTrial(s.Groups[0].Runs[0].Summary)
	s.Notes = label(t.Dataset, s.Groups, names, texts)
	s.Numbers = shorten(s.Groups)
	for i := range s.Groups {
		if s.Numbers {
			s.Groups[i].Short = fmt.Sprintf("%d: %s", i+1, s.Groups[i].Short)
		}
	}
	if slices.ContainsFunc(s.Groups, func(g Group) bool { return !testedAlways(g.Runs[0].Summary) }) {
		s.Notes = append(s.Notes, "Where the column of best on test is empty, the test tasks were evaluated once, at the end, with the model that was selected.")
	}
	s.Notes = append(s.Notes, unpublishedNotes(s.Groups, names)...)
	if all, common := testTasks(s.Groups); common < all {
		s.Notes = append(s.Notes, fmt.Sprintf(
			"The test tasks differ: %d of %d are common to all configurations. Means over different tasks cannot be compared.", common, all))
	}
	common, _ := departures(s.Groups[0].settings(), t)
	s.Common = common.Without(names...)
}

// testTasks returns the number of different tasks of groups, and the number of tasks that all groups have.
func testTasks(groups []Group) (all, common int) {
	groupsOf := map[string]int{}
	for _, g := range groups {
		for _, t := range g.Tasks {
			groupsOf[t.Name]++
		}
	}
	for _, n := range groupsOf {
		if n == len(groups) {
			common++
		}
	}
	return len(groupsOf), common
}

func (g Group) settings() rundir.Settings { return g.Runs[0].Settings.Without(apart...) }
