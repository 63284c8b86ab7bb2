package report

import (
	"cmp"
	"fmt"
	"slices"

	"pacia/config"
	"pacia/model/methods"
	"pacia/rundir"
)

// departures returns the settings that are not those of the preset for the data
// set, or of the model's preset where there is none.
func departures(s rundir.Settings, t Trial) rundir.Settings {
	preset, method := s.Get("model.preset"), cmp.Or(s.Get(methodSetting), methods.Default)
	o := config.Options{Set: []string{"model.preset=" + preset, "model.method=" + method, "data.path=" + s.Get("data.path")}}
	c, err := config.ForMethod(preset, method)
	name := fmt.Sprintf("%s-%dshot", t.Dataset, t.Shots)
	if publishedName(t.Dataset, s) == fsmol {
		name = fsmol
	}
	if err == nil && slices.Contains(config.Presets(), name) {
		o.Preset = name
		c, err = config.Load(o)
	}
	var usual rundir.Settings
	if err == nil {
		usual, err = rundir.Of(c)
	}
	if err != nil {
		return nil // settings of a later version, say: then nothing is claimed of them
	}
	return rundir.Differences(usual, s).Without("data.path")
}
