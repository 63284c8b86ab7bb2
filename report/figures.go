package report

import (
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/report/figure"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/run/rundir"
)

// Measures are the measurements that figures need in addition to the records of runs.
type Measures struct {
	// Scores scores the test tasks with the best model of a run. It may be nil.
	Scores func(rundir.Run, []metrics.Figures) ([]scores.Task, error)
	// Study examines the best model of a run with scored tasks. It may be nil.
	Study func(rundir.Run, []scores.Task) (*study.Study, *study.Groups, error)
	// Run is the folder of the run to study; empty: the first run.
	Run string
	// Required makes a study that is impossible an error, and not a note.
	Required bool
}

// Draw draws the figures of all sections. A run that cannot be measured because of what it is becomes a note of its
// section; another failure, such as data that cannot be read, is an error.
func (r *Report) Draw(m Measures) error {
	for i := range r.Sections {
		s := &r.Sections[i]
		d := drawer{section: s, prefix: s.prefix(), measure: s.measure(), names: r.names}
		d.learning()
		d.tasks()
		d.responses(s.Groups, d.ablations())
		if m.Scores != nil {
			d.measured(m.Scores)
		}
		if m.Study != nil && d.err == nil {
			if run, group := r.studied(s, m.Run); run != nil {
				d.study(*run, group, m)
				r.Study = d.studied
			}
		}
		if d.err != nil {
			return fmt.Errorf("%s: %w", s.Name(), d.err)
		}
	}
	if err := r.drawShots(); err != nil {
		return err
	}
	r.nameApart()
	return nil
}

// nameApart gives figures distinct names, also for file systems that do not distinguish upper case. Names of data
// sets may end as names of figures begin.
func (r *Report) nameApart() {
	taken := map[string]bool{}
	apart := func(figures []Figure) {
		for i := range figures {
			name := figures[i].Name
			for n := 2; taken[strings.ToLower(name)]; n++ {
				name = fmt.Sprintf("%s-%d", figures[i].Name, n)
			}
			figures[i].Name = name
			taken[strings.ToLower(name)] = true
		}
	}
	for i := range r.Sections {
		apart(r.Sections[i].Figures)
	}
	apart(r.Across)
}

// studied returns the run to study and the index of its group, or nil if the section does not
// have it.
func (r *Report) studied(s *Section, dir string) (*rundir.Run, int) {
	if dir == "" {
		if s != &r.Sections[0] {
			return nil, 0
		}
		return &s.Groups[0].Runs[0], 0
	}
	for g, group := range s.Groups {
		for i := range group.Runs {
			if sameFolder(group.Runs[i].Dir, dir) {
				return &s.Groups[g].Runs[i], g
			}
		}
	}
	return nil, 0
}

// sameFolder reports whether two paths, relative or not, name one folder.
func sameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Studied returns the run that would be studied: the one in dir, or the first if dir is empty. It returns an
// error if the report has no run in dir.
func (r *Report) Studied(dir string) (rundir.Run, error) {
	for i := range r.Sections {
		if run, _ := r.studied(&r.Sections[i], dir); run != nil {
			return *run, nil
		}
	}
	return rundir.Run{}, &badinput.Error{What: fmt.Sprintf("--study %s is none of the finished runs of the report", dir), Fix: "write the folder of one of them"}
}

// A drawer draws the figures of one section.
type drawer struct {
	section *Section
	prefix  string // of the files' names
	measure figure.Measure
	names   Names
	scored  map[int][]scores.Task // all test tasks, scored by the best model of the first seed, by groups
	studied *study.Study
	err     error // the first one
}

func (d *drawer) add(name, title, caption string, p figure.Picture, err error) {
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("drawing %s: %w", name, err)
	}
	d.section.Figures = append(d.section.Figures, Figure{d.prefix + "-" + name, title, caption, p})
}

// part returns a suffix for the file name and words for the title of figure i of n. Both are empty for a single
// figure.
func part(i, n int) (suffix, words string) {
	if n == 1 {
		return "", ""
	}
	return fmt.Sprintf("-%d", i+1), fmt.Sprintf(" (%d of %d)", i+1, n)
}

// A choice is the way to choose the model that the figures show.
type choice struct {
	name      string
	selection string // as in results.csv; empty if groups differ
	spread    func(Selected) Spread
}

// chosen returns the choice of the model by validation tasks or, if a group has no such figure, of the last
// model. If the groups have neither in common, each group has the first that it has, or no value.
func chosen(groups []Group) choice {
	switch {
	case !slices.ContainsFunc(groups, func(g Group) bool { return g.Validation == nil }):
		return choice{"the model chosen on validation tasks", onValidation, func(s Selected) Spread { return value(s.Validation) }}
	case !slices.ContainsFunc(groups, func(g Group) bool { return g.Last == nil }):
		return choice{"the last model", ofLast, func(s Selected) Spread { return value(s.Last) }}
	}
	return choice{"the model chosen on validation tasks, otherwise the last", "",
		func(s Selected) Spread { return value(s.Validation, s.Last) }}
}

// value returns the first figure that is not nil, or one with NaN.
func value(all ...*Spread) Spread {
	for _, s := range all {
		if s != nil {
			return *s
		}
	}
	return Spread{Mean: math.NaN(), Deviation: math.NaN(), Low: math.NaN(), High: math.NaN()}
}

func (d *drawer) tasks() {
	model := chosen(d.section.Groups)
	var names []string // tasks of all groups, whose splits may differ
	for _, g := range d.section.Groups {
		for _, t := range g.Tasks {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	groups := slices.Collect(slices.Chunk(d.section.Groups, figure.MaxCurves))
	tasks := slices.Collect(slices.Chunk(names, figure.TasksMost))
	for i, page := range groups {
		for k, on := range tasks {
			var all []figure.Series
			for _, g := range page {
				s := figure.Series{Name: g.Short, After: seedCount(len(g.Runs))}
				for _, name := range on {
					v := value()
					if at := slices.IndexFunc(g.Tasks, func(t Task) bool { return t.Name == name }); at >= 0 {
						v = model.spread(g.Tasks[at].Selected)
					}
					s.Points = append(s.Points, v.point())
				}
				all = append(all, s)
			}
			suffix, words := part(i*len(tasks)+k, len(groups)*len(tasks))
			p, err := figure.Tasks(d.measure, each.Of(on, d.names.of), all)
			d.add("tasks"+suffix, d.measure.Name+" of each test task"+words,
				"Of "+model.name+": each ring is a seed, the filled mark is their mean."+d.section.legendNote(), p, err)
		}
	}
}

// longestPart is the maximum number of characters of a name in a file's name, so that the whole
// stays below the 255 bytes of file systems.
const longestPart = 80

// fileName returns the name of a data set without characters that a file system may not accept, and not too long.
// If that changes the name, a checksum distinguishes it from others.
func fileName(s string) string {
	name := inFileName(s)
	if name == s && len(name) <= longestPart {
		return name
	}
	return fmt.Sprintf("%s-%08x", name[:min(len(name), longestPart)], crc32.ChecksumIEEE([]byte(s)))
}

// inFileName replaces characters that a file system may not accept, such as the dots of a setting's name.
func inFileName(s string) string {
	return strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}
