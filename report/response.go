package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/each"
	"pacia/report/figure"
	"pacia/run/rundir"
)

// Settings that figures treat specially.
const (
	shotsSetting       = "episode.shots"
	supportSetting     = "episode.support"
	testSupportSetting = "episode.test_support"
	relationSetting    = "model.relation.layers"
	encoderSetting     = "model.adapt.encoder"
	predictorSetting   = "model.adapt.predictor"
)

// axes are the labels of axes for settings.
var axes = map[string]string{
	shotsSetting:         "support molecules of each class",
	supportSetting:       "stratified support molecules",
	testSupportSetting:   "stratified support molecules in tests",
	relationSetting:      "layers of the relation graph",
	"model.hyper.layers": "layers of the hypernetworks' MLPs",
}

// settingFamily is groups that differ only in some settings, in their order.
type settingFamily struct {
	rest   string // all other settings
	groups []Group
}

// alikeExcept collects groups that differ only in the named settings.
func alikeExcept(groups []Group, names ...string) (all []settingFamily) {
	at := map[string]int{}
	for _, g := range groups {
		key := g.settings().Without(names...).String()
		if _, ok := at[key]; !ok {
			at[key] = len(all)
			all = append(all, settingFamily{rest: key})
		}
		all[at[key]].groups = append(all[at[key]].groups, g)
	}
	return all
}

// differing returns the names of the settings in which groups differ, and for each whether all
// its values are numbers.
func differing(groups []Group) (names []string, numeric map[string]bool) {
	numeric = map[string]bool{}
	base := groups[0].settings()
	for _, g := range groups {
		s := g.settings()
		for _, d := range append(rundir.Differences(base, s), rundir.Differences(s, base)...) {
			if !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
	}
	for _, name := range names {
		numeric[name] = !slices.ContainsFunc(groups, func(g Group) bool {
			_, err := strconv.ParseFloat(g.settings().Get(name), 64)
			return err != nil
		})
	}
	return names, numeric
}

// responses draws the metric over each setting in which groups differ. Settings of
// adaptation are left out if ablations has drawn them.
func (d *drawer) responses(groups []Group, ablated bool) {
	names, numeric := differing(groups)
	for _, name := range names {
		if numeric[name] {
			d.response(groups, name)
		}
	}
	for _, name := range names {
		if shown := ablated && slices.Contains([]string{encoderSetting, predictorSetting, methodSetting}, name); !numeric[name] && !shown {
			d.choices(groups, name)
		}
	}
}

// response draws mean and deviation over one setting, with a line for runs that differ only in it.
func (d *drawer) response(groups []Group, name string) {
	model := chosen(groups)
	var lines, single []settingFamily
	for _, a := range alikeExcept(groups, name) {
		if len(a.groups) > 1 {
			lines = append(lines, a)
		} else {
			single = append(single, a)
		}
	}
	if len(lines) == 0 {
		return
	}
	labels := d.lineLabels(lines, name)
	if len(lines) == 1 && name == relationSetting && lines[0].groups[0].settings().Get(predictorSetting) == "none" {
		labels[0] = "fixed depth"
	}
	var all []figure.Response
	for k, a := range lines {
		r := figure.Response{Name: labels[k]}
		slices.SortFunc(a.groups, func(x, y Group) int { return cmp.Compare(number(x, name), number(y, name)) })
		for _, g := range a.groups {
			v := model.spread(g.Selected)
			if math.IsNaN(v.Mean) {
				continue // not measured
			}
			r.X, r.Points = append(r.X, number(g, name)), append(r.Points, v.point())
		}
		if len(r.X) > 0 {
			all = append(all, r)
		}
	}
	var levels []figure.Level
	if name == relationSetting {
		levels = adaptedDepths(lines, single, model)
	}
	pages := slices.Collect(slices.Chunk(all, figure.MaxCurves))
	axis := cmp.Or(d.names[name], axes[name], name)
	for k, page := range pages {
		suffix, words := part(k, len(pages))
		p, err := figure.Setting(figure.SettingAxis{Name: axis, Rate: isRate(name)}, "test "+d.measure.Name, d.measure, page, levels)
		d.add("over-"+inFileName(name)+suffix, d.measure.Name+" over "+axis+words,
			"Mean over the test tasks of "+model.name+". "+marksNote+" Runs of a line differ only in "+name+".", p, err)
	}
}

// adaptedDepths returns the levels of models that adapt the depth and otherwise have the settings of a line.
func adaptedDepths(lines, single []settingFamily, model choice) (levels []figure.Level) {
	like := func(a settingFamily) string {
		return a.groups[0].settings().Without(predictorSetting, relationSetting).String()
	}
	for _, a := range single {
		s := a.groups[0].settings()
		matches := slices.ContainsFunc(lines, func(l settingFamily) bool { return like(l) == like(a) })
		if matches && strings.Contains(s.Get(predictorSetting), "D") {
			v := model.spread(a.groups[0].Selected)
			levels = append(levels, figure.Level{Name: fmt.Sprintf("depth adapted by %s, at most %s layers: %.2f %%", s.Get(predictorSetting), s.Get(relationSetting), 100*v.Mean), Point: v.point()})
		}
	}
	return levels
}

// marksNote explains the marks of a figure that has seeds and an interval.
const marksNote = "Rings are seeds, the filled mark is their mean, the line its 95 % interval over the test tasks, by bootstrap of the tasks."

// isRate reports whether a setting is a rate, whose values differ by factors.
func isRate(name string) bool {
	return strings.HasSuffix(name, "rate") || strings.HasSuffix(name, "weight_decay")
}

func number(g Group, name string) float64 {
	if name == testSupportSetting {
		return float64(trialOf(g.Runs[0].Summary).Support) // 0 stands for the size in training
	}
	v, _ := strconv.ParseFloat(g.settings().Get(name), 64) // numeric
	return v
}

// lineLabels returns labels of lines: those of groups without the setting of the horizontal axis.
func (d *drawer) lineLabels(lines []settingFamily, name string) []string {
	first := each.Of(lines, func(a settingFamily) Group { return a.groups[0] })
	names, _ := differing(first)
	label("", first, slices.DeleteFunc(names, func(n string) bool { return n == name }), d.names)
	shorten(first)
	return each.Of(first, func(g Group) string { return g.Short })
}

// choices draws a bar for each value of a setting that is not a number, for runs that differ only in it.
func (d *drawer) choices(groups []Group, name string) {
	several := each.If(alikeExcept(groups, name), func(a settingFamily) bool { return len(a.groups) > 1 && len(a.groups) <= figure.LevelsMost })
	if len(several) == 0 {
		return
	}
	labels := d.lineLabels(several, name)
	for k, a := range several {
		bars := each.Of(a.groups, func(g Group) bar {
			value := g.settings().Get(name)
			return bar{cmp.Or(d.names[name+"="+value], value), g}
		})
		suffix, words := part(k, len(several))
		if len(several) > 1 {
			words = ": " + labels[k]
		}
		d.bars("by-"+inFileName(name)+suffix, d.measure.Name+" by "+d.names.of(name)+words, "Runs differ only in "+name+".", bars)
	}
}

// A bar is a group with its name in a figure.
type bar struct {
	name string
	Group
}

func (d *drawer) bars(name, title, how string, bars []bar) {
	groups := each.Of(bars, func(b bar) Group { return b.Group })
	model := chosen(groups)
	var all []figure.Level
	for _, b := range bars {
		v := model.spread(b.Selected)
		if math.IsNaN(v.Mean) {
			continue // not measured
		}
		all = append(all, figure.Level{Name: b.name, Point: v.point()})
	}
	if len(all) < 2 {
		return
	}
	p, err := figure.Levels(d.measure, all)
	d.add(name, title, how+" Mean over the test tasks of "+model.name+", its number in per cent. "+marksNote, p, err)
}

// drawShots draws the metric over the size of the support sets, for data sets with
// several sizes.
func (r *Report) drawShots() error {
	groups, sections := map[Trial][]Group{}, map[Trial]int{}
	var trials []Trial
	for _, s := range r.Sections {
		t := Trial{Dataset: s.Dataset, Metric: s.Metric, Support: min(1, s.Support)} // stratified or not
		if sections[t]++; sections[t] == 1 {
			trials = append(trials, t)
		}
		groups[t] = append(groups[t], s.Groups...)
	}
	for _, t := range trials {
		sizes := []string{shotsSetting}
		if t.Support > 0 {
			sizes = []string{supportSetting, testSupportSetting}
		}
		_, numeric := differing(groups[t])
		for _, size := range sizes {
			if !numeric[size] || sections[t] < 2 {
				continue
			}
			d := drawer{section: &Section{Trial: t}, prefix: t.across(), measure: t.measure(), names: r.names}
			d.response(groups[t], size)
			if d.err != nil {
				return fmt.Errorf("%s: %w", t.Dataset, d.err)
			}
			for _, f := range d.section.Figures {
				f.Title = t.Dataset + ": " + f.Title
				r.Across = append(r.Across, f)
			}
		}
	}
	return nil
}

func percentText(v Spread) string {
	if math.IsNaN(v.Deviation) {
		return percent(v.Mean)
	}
	return percent(v.Mean) + " ± " + percent(v.Deviation)
}
