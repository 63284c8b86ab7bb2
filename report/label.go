package report

import (
	"cmp"
	"slices"
	"strings"

	"pacia/model/methods"
	"pacia/run/rundir"
)

// label labels the groups by the settings in which they differ, given by names. If their methods differ, the
// label is the title of the method, followed by the settings in which the group differs from others of the same
// method. Differences in settings that all methods share are then reported in the notes.
func label(dataset string, groups []Group, names []string) (notes []string) {
	byMethod := map[string][]Group{}
	for _, g := range groups {
		name := g.settings().Get(methodSetting)
		byMethod[name] = append(byMethod[name], g)
	}
	by := map[string][]string{} // labels, by the text of the note
	var texts []string
	for i, g := range groups {
		settings := g.settings()
		method := settings.Get(methodSetting)
		var parts []string
		shown := names
		if len(byMethod) > 1 {
			parts = []string{titleOf(method)}
			shown, _ = differing(byMethod[method])
		}
		var others rundir.Settings
		for _, v := range settings {
			switch {
			case slices.Contains(shown, v.Name) && slices.Contains(names, v.Name):
				parts = append(parts, v.String())
			case v.Name != methodSetting && slices.Contains(names, v.Name) && !owned(v.Name):
				others = append(others, v)
			}
		}
		groups[i].Label = cmp.Or(strings.Join(parts, ", "), methodOn(dataset, settings), "all runs")
		if text := settingsText(others); text != "" {
			if by[text] == nil {
				texts = append(texts, text)
			}
			by[text] = append(by[text], groups[i].Label)
		}
	}
	for _, text := range texts {
		verb := " has "
		if len(by[text]) > 1 {
			verb = " have "
		}
		notes = append(notes, strings.Join(by[text], "; ")+verb+text+".")
	}
	return notes
}

// titleOf returns a method's name in tables, or its name in the settings if this version does not have the
// method.
func titleOf(method string) string {
	spec, err := methods.Find(cmp.Or(method, methods.Default))
	if err != nil {
		return method
	}
	return spec.Title
}

// owned reports whether only some methods have a setting, such as model.relation.layers.
func owned(name string) bool { return len(methods.Owners(name)) > 0 }
