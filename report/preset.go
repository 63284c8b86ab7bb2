package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pacia/config"
	"pacia/internal/each"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// departures returns the settings that differ from the preset for the data set, or
// from the model's preset if the data set has none. Known is false if they cannot be
// determined.
func departures(s rundir.Settings, t Trial) (all rundir.Settings, known bool) {
	preset, method := s.Get("model.preset"), cmp.Or(s.Get(methodSetting), methods.Default)
	o := config.Options{Set: []string{"model.preset=" + preset, "model.method=" + method, "data.path=" + s.Get("data.path")}}
	c, err := config.Default(preset, method)
	name := fmt.Sprintf("%s-%dshot", t.Dataset, t.Shots)
	if publishedName(t.Dataset, s) == fsmol {
		name = fsmol
	}
	if err == nil && slices.Contains(config.Presets(), name) {
		o.Preset = name
		c, err = config.Load(o)
	}
	if err != nil {
		return nil, false // such as settings of a later version
	}
	return rundir.Differences(rundir.SettingsOf(c), s).Without("data.path", "data.absolute_path"), true
}

// measuring are settings that affect how a model is measured and saved, not what it learns.
var measuring = []string{"train.evaluate_every", "train.evaluation_draws", "train.test_every", "train.selection", "train.metric", "precision"}

// unpublished returns the settings of the model and its training in which runs differ from the published model
// of the same method. Known is false if they cannot be determined.
func unpublished(s rundir.Settings, t Trial) (all rundir.Settings, known bool) {
	departing, known := departures(s, t)
	for _, v := range departing.Without(slices.Concat(apart, measuring, []string{"model.preset", "model.pretrained"})...) {
		// The setting of a published ablation is not a difference.
		if !strings.HasPrefix(v.Name, "data.") && ablations[v.String()] == "" {
			all = append(all, v)
		}
	}
	return all, known
}

// unpublishedNotes explains, for groups whose method has a published figure, why it does
// not stand beside them. Settings in which the groups differ are in their labels.
func unpublishedNotes(groups []Group, differing []string) (notes []string) {
	beside := map[string][]string{} // labels, by the reason
	var reasons []string
	for _, g := range groups {
		if !g.Unlike {
			continue
		}
		reason := "settings that this version of the program does not have"
		if g.Departures != nil {
			reason = settingsText(g.Departures)
			if rest := g.Departures.Without(differing...); len(rest) > 0 {
				reason = settingsText(rest)
			}
		}
		if beside[reason] == nil {
			reasons = append(reasons, reason)
		}
		beside[reason] = append(beside[reason], g.Label)
	}
	for _, reason := range reasons {
		notes = append(notes, fmt.Sprintf("No published value stands beside %s: with %s it is not the published model.", strings.Join(beside[reason], "; "), reason))
	}
	return notes
}

func settingsText(all rundir.Settings) string {
	parts := each.Of(all, func(v rundir.Setting) string { return v.String() })
	return strings.Join(parts, ", ")
}
