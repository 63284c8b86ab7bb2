package config

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"pacia/fault"
	"pacia/model"
	"pacia/model/methods"
	of "pacia/setting"
)

// A setting is one leaf of Config.
type setting struct{ of.Setting }

// Env returns the environment variable of the setting: PACIA_TRAIN_EPISODES.
func (s setting) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.Name, ".", "_"))
}

// settings lists the settings of all methods, those of the default one first.
var settings = every()

func every() (all []setting) {
	for _, m := range methods.All {
		c, err := ForMethod(model.Paper, m.Name)
		if err != nil {
			panic(err) // the table's own names are known
		}
		for _, s := range of.List("", c) {
			if !slices.ContainsFunc(all, func(o setting) bool { return o.Name == s.Name }) {
				all = append(all, setting{s})
			}
		}
	}
	return all
}

// lookUp returns the setting of that name, or a fault that offers the nearest
// one.
func lookUp(name string) (setting, error) {
	for _, s := range settings {
		if s.Name == name {
			return s, nil
		}
	}
	if isSection(name) {
		return setting{}, &fault.Error{
			What: "setting " + name + " is a group",
			Fix:  "write one of its settings, such as " + firstOf(name),
		}
	}
	return setting{}, &fault.Error{
		What: "unknown setting " + name,
		Fix:  "the nearest known one is " + nearest(name).Name,
	}
}

func isSection(name string) bool { return firstOf(name) != "" }

// firstOf returns the first setting of a group, or nothing.
func firstOf(section string) string {
	for _, s := range settings {
		if strings.HasPrefix(s.Name, section+".") {
			return s.Name
		}
	}
	return ""
}

// nearest returns the known setting that takes the fewest edits.
func nearest(name string) setting {
	return slices.MinFunc(settings, func(a, b setting) int { return a.distance(name) - b.distance(name) })
}

// distance counts the edits that turn name into that of the setting. A name
// that lacks its group (episodes) is compared with the last part, too; that
// costs one edit, so that the full name wins a tie.
func (s setting) distance(name string) int {
	return min(
		levenshtein.ComputeDistance(name, s.Name),
		levenshtein.ComputeDistance(lastPart(name), lastPart(s.Name))+1,
	)
}

// nearestOf returns the name that takes the fewest edits.
func nearestOf(name string, names []string) string {
	edits := func(n string) int { return levenshtein.ComputeDistance(name, n) }
	return slices.MinFunc(names, func(a, b string) int { return edits(a) - edits(b) })
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
