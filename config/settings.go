package config

import (
	"slices"
	"strings"

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
	return setting.Setting{}, &badinput.Error{What: "unknown setting " + name, Fix: suggest(name)}
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

// listed states where the names of all settings are.
const listed = "pacia config --explain lists all"

// suggest returns the nearest known setting, in words. Last parts are compared if whole names are not near, for a name
// without its group (episodes) or with a wrong one.
func suggest(name string) string {
	names := Names()
	if badinput.Nearest(name, names) == "" {
		last := each.Of(names, lastPart)
		if i := slices.Index(last, badinput.Nearest(lastPart(name), last)); i >= 0 {
			name = names[i]
		}
	}
	return badinput.Suggest(name, names, listed)
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
