package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pacia/config"
	"pacia/model/methods"
	"pacia/rundir"
)

// departures returns the settings that are not those of the preset for the data
// set, or of the model's preset where there is none. known is false where that cannot
// be told.
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
		return nil, false // settings of a later version, say: then nothing is claimed of them
	}
	return rundir.Differences(rundir.Of(c), s).Without("data.path"), true
}

// measuring are settings that say how a model is measured and saved, not what it learns.
var measuring = []string{"train.evaluate_every", "train.evaluation_draws", "train.test_every", "train.selection", "train.metric", "precision"}

// unpublished returns what says that runs are not of the published model, though they
// may be of its method: settings of the model and of its training that are not those
// of the published ones. It is empty where there are none.
func unpublished(s rundir.Settings, t Trial) string {
	all, known := departures(s, t)
	if !known {
		return "its settings are not those of this version of the program"
	}
	all = all.Without(slices.Concat(apart, measuring, []string{"model.preset", "model.pretrained"})...)
	var names []string
	for _, v := range all {
		// A published ablation departs by one of these.
		if strings.HasPrefix(v.Name, "data.") || ablations[v.String()] != "" {
			continue
		}
		names = append(names, v.String())
	}
	if names == nil {
		return ""
	}
	return "it has " + strings.Join(names, ", ")
}
