package report

import (
	"cmp"
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// label labels the groups by the settings in which they differ, given by names. If their methods differ, the
// label is the title of the method, followed by the settings in which the group differs from others of the same
// method. Differences in settings that all methods share are then reported in the notes. Texts stand in place of
// settings and titles.
func label(dataset string, groups []Group, names []string, texts Names) (notes []string) {
	byMethod := map[string][]Group{}
	for _, g := range groups {
		name := g.settings().Get(methodSetting)
		byMethod[name] = append(byMethod[name], g)
	}
	by := map[string][]string{} // labels, by the text of the note
	var reasons []string
	for i, g := range groups {
		settings := g.settings()
		method := settings.Get(methodSetting)
		var parts []string
		shown := names
		if len(byMethod) > 1 {
			parts = []string{texts.of(titleOf(method))}
			shown, _ = differing(byMethod[method])
		}
		var others rundir.Settings
		for _, v := range settings {
			switch {
			case slices.Contains(shown, v.Name) && slices.Contains(names, v.Name):
				parts = append(parts, texts.setting(v))
			case v.Name != methodSetting && slices.Contains(names, v.Name) && !owned(v.Name):
				others = append(others, v)
			}
		}
		groups[i].parts = parts
		groups[i].Label = cmp.Or(strings.Join(parts, ", "), methodOn(dataset, settings), "all runs")
		if text := settingsText(others); text != "" {
			if by[text] == nil {
				reasons = append(reasons, text)
			}
			by[text] = append(by[text], groups[i].Label)
		}
	}
	for _, text := range reasons {
		verb := " has "
		if len(by[text]) > 1 {
			verb = " have "
		}
		notes = append(notes, strings.Join(by[text], "; ")+verb+text+".")
	}
	return notes
}

// roomy is the number of characters for which a line of a legend has room in any figure.
const roomy = 50

// shorten sets the names of groups in legends: their labels or, if some labels are equal as far as there is room, the
// parts in which a group differs from most. It reports the latter.
func shorten(groups []Group) (shortened bool) {
	beginnings, of := map[string]bool{}, map[string]int{} // parts, and the number of groups with them
	for i := range groups {
		groups[i].Short = groups[i].Label
		r := []rune(groups[i].Label)
		begins := string(r[:min(len(r), roomy)])
		shortened = shortened || beginnings[begins]
		beginnings[begins] = true
		for _, p := range groups[i].parts {
			of[p]++
		}
	}
	if !shortened {
		return false
	}
	for i, g := range groups {
		rare := each.If(g.parts, func(p string) bool { return !strings.Contains(p, "=") || 2*of[p] <= len(groups) })
		groups[i].Short = cmp.Or(strings.Join(rare, ", "), asMost)
	}
	return true
}

// asMost is the name in legends of a group whose settings most groups have, where names are short.
const asMost = "the settings of most"

// shortNote explains short names in legends.
const shortNote = " Numbers are lines of the table of configurations; beside them are the settings " +
	"in which a configuration differs from most."

// legendNote returns what to add to the caption of a figure whose legend names groups.
func (s Section) legendNote() string {
	if s.Numbers {
		return shortNote
	}
	return ""
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
