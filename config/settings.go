package config

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"pacia/fault"
	"pacia/model"
	"pacia/setting"
)

// settings lists every setting of every method, in the order of Config.
var settings = catalogue()

func catalogue() (all []setting.Setting) {
	for _, method := range methodNames() {
		c, err := Default(model.Paper, method)
		if err != nil {
			panic("config: " + err.Error()) // every method has defaults
		}
		at := 0
		for _, s := range setting.List("", c) {
			i := slices.IndexFunc(all, func(known setting.Setting) bool { return known.Name == s.Name })
			if i < 0 {
				i = at
				all = slices.Insert(all, i, s)
			}
			at = i + 1
		}
	}
	return all
}

// Names returns the names of all settings of all methods.
func Names() (all []string) {
	for _, s := range settings {
		all = append(all, s.Name)
	}
	return all
}

// Owners returns the methods that a setting belongs to; none for those that all
// methods share.
func Owners(name string) []string {
	if own, ok := strings.CutPrefix(name, "model."); ok {
		return ownersOf(own)
	}
	return nil
}

// belongs says whether runs of the method have the setting.
func belongs(name, method string) bool {
	owners := Owners(name)
	return owners == nil || slices.Contains(owners, method)
}

// Variable returns the environment variable of a setting: PACIA_TRAIN_EPISODES.
func Variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// lookUp returns the setting of that name, or a fault that offers the nearest
// one.
func lookUp(name string) (setting.Setting, error) {
	for _, s := range settings {
		if s.Name == name {
			return s, nil
		}
	}
	if isSection(name) {
		return setting.Setting{}, &fault.Error{
			What: "setting " + name + " is a group",
			Fix:  "write one of its settings, such as " + firstOf(name),
		}
	}
	return setting.Setting{}, &fault.Error{
		What: "unknown setting " + name,
		Fix:  "the nearest known one is " + nearest(name),
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
func nearest(name string) string {
	return slices.MinFunc(settings, func(a, b setting.Setting) int { return distance(name, a.Name) - distance(name, b.Name) }).Name
}

// distance counts the edits that turn name into that of a known setting. A name
// that lacks its group (episodes) is compared with the last part, too; that
// costs one edit, so that the full name wins a tie.
func distance(name, known string) int {
	return min(
		levenshtein.ComputeDistance(name, known),
		levenshtein.ComputeDistance(lastPart(name), lastPart(known))+1,
	)
}

// nearestOf returns the name that takes the fewest edits.
func nearestOf(name string, names []string) string {
	edits := func(n string) int { return levenshtein.ComputeDistance(name, n) }
	return slices.MinFunc(names, func(a, b string) int { return edits(a) - edits(b) })
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
