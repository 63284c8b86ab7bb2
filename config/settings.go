package config

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
)

// settings lists the settings of all methods in the order of Config. owners lists the
// methods that have each.
var settings, owners = catalogue()

func catalogue() (all []setting.Setting, owners map[string][]string) {
	owners = map[string][]string{}
	for _, method := range methods.Names() {
		c, err := Default(model.Paper, method)
		if err != nil {
			panic("config: " + err.Error()) // every method has defaults
		}
		at := 0
		for _, s := range setting.List("", c) {
			owners[s.Name] = append(owners[s.Name], method)
			i := slices.IndexFunc(all, func(known setting.Setting) bool { return known.Name == s.Name })
			if i < 0 {
				i = at
				all = slices.Insert(all, i, s)
			}
			at = i + 1
		}
	}
	return all, owners
}

// Names returns the names of all settings of all methods.
func Names() (all []string) {
	return each.Of(settings, func(s setting.Setting) string { return s.Name })
}

// Variable returns the environment variable of a setting: PACIA_TRAIN_EPISODES.
func Variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// lookUp returns the setting of that name, or an error that suggests the nearest one.
func lookUp(name string) (setting.Setting, error) {
	for _, s := range settings {
		if s.Name == name {
			return s, nil
		}
	}
	if isSection(name) {
		return setting.Setting{}, &badinput.Error{
			What: "setting " + name + " is a group",
			Fix:  "write one of its settings, such as " + firstOf(name),
		}
	}
	return setting.Setting{}, &badinput.Error{
		What: "unknown setting " + name,
		Fix:  "the nearest known one is " + nearest(name),
	}
}

func isSection(name string) bool { return firstOf(name) != "" }

func firstOf(section string) string {
	for _, s := range settings {
		if strings.HasPrefix(s.Name, section+".") {
			return s.Name
		}
	}
	return ""
}

func nearest(name string) string {
	return slices.MinFunc(settings, func(a, b setting.Setting) int { return distance(name, a.Name) - distance(name, b.Name) }).Name
}

// distance counts the edits that turn name into the name of a known setting. The last
// parts are also compared, for a name without its group (episodes). That costs one more
// edit, so that the full name wins a tie.
func distance(name, known string) int {
	return min(
		levenshtein.ComputeDistance(name, known),
		levenshtein.ComputeDistance(lastPart(name), lastPart(known))+1,
	)
}

func nearestOf(name string, names []string) string {
	edits := func(n string) int { return levenshtein.ComputeDistance(name, n) }
	return slices.MinFunc(names, func(a, b string) int { return edits(a) - edits(b) })
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
