package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/report/figure"
	"pacia/report/scores"
	"pacia/report/study"
)

// depthGroups draws how well two groups of molecules, to which the model assigned different depths, are ranked
// at each depth. The scores are those of models with fixed depths, if the section has them, or of the same
// model at each depth.
func (d *drawer) depthGroups(where string, groups *study.Groups, group int) {
	if groups == nil {
		d.section.Notes = append(d.section.Notes, "Groups of molecules by depth are not drawn: there are no two depths with enough molecules of both classes, or the tasks could not be measured.")
		return
	}
	own := func(task string, at int) (float32, bool) {
		r := groups.Reading(task)
		return r.ByDepth[at][r.Depths[at]-1], true
	}
	lines, source := d.fixedDepths(groups, group)
	if lines == nil {
		source = "Each depth is read from the same model."
		for l := range groups.Layers() {
			depth := depthScores{depth: l + 1, score: func(task string, at int) (float32, bool) { return groups.Reading(task).ByDepth[at][l], true }}
			lines = append(lines, depth)
		}
	}
	of := func(labels []uint8, scores []float32) float64 {
		return d.section.metric().Measure(labels, each.As[float64](scores))
	}
	var all []figure.Response
	var levels []figure.Level
	for k, name := range []string{"A", "B"} {
		r := figure.Response{Name: fmt.Sprintf("group %s: depth %d (%d molecules)", name, groups.Depths[k], groups.Count(k))}
		for _, l := range lines {
			if auc, tasks := groups.Mean(of, k, l.score); tasks > 0 {
				r.X, r.Points = append(r.X, float64(l.depth)), append(r.Points, figure.At(auc))
			}
		}
		if len(r.X) == 0 {
			continue
		}
		auc, _ := groups.Mean(of, k, own)
		all = append(all, r)
		levels = append(levels, figure.Level{Name: fmt.Sprintf("group %s at its own depth: %.2f %%", name, 100*auc), Point: figure.At(auc)})
	}
	p, err := figure.Setting(figure.SettingAxis{Name: "depth of the relation graph"}, d.measure.Name+" of the group", d.measure, all, levels)
	d.add("depth-groups", "Groups of molecules at each depth", where+" Mean "+d.measure.Name+", over the test tasks, of the molecules with one of two depths, if all of them were classified at the same depth. "+source, p, err)
}

// depthScores returns the scores of molecules at a fixed depth.
type depthScores struct {
	depth int
	score func(task string, at int) (float32, bool)
}

// fixedDepths finds models of the section that differ from a group only in their fixed depth. It returns nil if
// there are fewer than two such depths.
func (d *drawer) fixedDepths(groups *study.Groups, group int) (lines []depthScores, source string) {
	base := d.section.Groups[group].settings().Without(predictorSetting, relationSetting)
	var dirs []string
	for k, g := range d.section.Groups {
		tasks := d.scored[k]
		s := g.settings()
		if s.Get(predictorSetting) != "none" || tasks == nil || s.Without(predictorSetting, relationSetting).String() != base.String() {
			continue
		}
		var depth int
		if _, err := fmt.Sscan(s.Get(relationSetting), &depth); err != nil {
			continue
		}
		lines = append(lines, depthScores{depth, byRow(groups, tasks)})
		dirs = append(dirs, g.Runs[0].Dir)
	}
	if len(lines) < 2 {
		return nil, ""
	}
	slices.SortFunc(lines, func(a, b depthScores) int { return cmp.Compare(a.depth, b.depth) })
	return lines, "Each depth is that of another model, trained without adapted depth: " + strings.Join(dirs, ", ") + "."
}

// byRow returns a function that looks up the scores of another model for the molecules of groups. Molecules
// of its support set have no score.
func byRow(groups *study.Groups, tasks []scores.Task) func(task string, at int) (float32, bool) {
	found := map[string]map[int32]float32{}
	for _, t := range tasks {
		found[t.Name] = map[int32]float32{}
		for i, row := range t.Rows {
			found[t.Name][row] = t.Scores[i]
		}
	}
	return func(task string, at int) (float32, bool) {
		v, ok := found[task][groups.Reading(task).Rows[at]]
		return v, ok
	}
}
