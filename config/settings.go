package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"pacia/fault"
)

// A setting is one leaf of Config.
type setting struct {
	Name string // as in train.episodes
	Type reflect.Type
	path []int // field index in Config
}

// Env returns the environment variable of the setting: PACIA_TRAIN_EPISODES.
func (s setting) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.Name, ".", "_"))
}

// settings lists every leaf of Config in the order of its fields.
var settings = leaves(reflect.TypeFor[Config](), "", nil)

func leaves(t reflect.Type, prefix string, path []int) []setting {
	var all []setting
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		at := append(slices.Clone(path), i)
		if f.Type.Kind() == reflect.Struct {
			all = append(all, leaves(f.Type, prefix+name+".", at)...)
			continue
		}
		all = append(all, setting{Name: prefix + name, Type: f.Type, path: at})
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
