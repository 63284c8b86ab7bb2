package config

import (
	"fmt"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/setting"
	"pacia/model/methods"
)

// settingNamed finds the setting of that name. model.METHOD.NAME is the setting model.NAME of one
// method, so that a file may hold settings of several methods. Only those of model.method
// are read.
func settingNamed(name string) (s setting.Setting, method string, err error) {
	method, plain := scope(name)
	if method == "" {
		s, err = lookUp(name)
		return s, "", err
	}
	s, err = lookUp(plain)
	if err != nil || !slices.Contains(owners[plain], method) || len(owners[plain]) == len(methods.All) {
		fix := fmt.Sprintf("leave it out; model.%s has no settings of its own", method)
		if names := ownNames(method); len(names) > 0 {
			fix = fmt.Sprintf("write one of %s below model.%s", strings.Join(names, ", "), method)
		}
		return s, "", &badinput.Error{What: fmt.Sprintf("unknown setting %s", name), Fix: fix}
	}
	return s, method, nil
}

// scope splits model.METHOD.NAME into METHOD and model.NAME. METHOD is "" for other names.
func scope(name string) (method, plain string) {
	below, ok := strings.CutPrefix(name, "model.")
	first, rest, deeper := strings.Cut(below, ".")
	// model.single and model.similarity are settings and names of methods.
	known := !deeper && slices.ContainsFunc(settings, func(s setting.Setting) bool { return s.Name == name })
	if ok && !known && slices.Contains(methods.Names(), first) {
		return first, "model." + rest
	}
	return "", name
}

// ownNames lists the settings of the model that a method has but not all methods, without "model.".
func ownNames(method string) (names []string) {
	for _, s := range settings {
		name, ofModel := strings.CutPrefix(s.Name, "model.")
		if of := owners[s.Name]; ofModel && slices.Contains(of, method) && len(of) < len(methods.All) {
			names = append(names, name)
		}
	}
	return names
}

// chosen returns the method that the sources choose; later sources win. If none chooses one,
// it returns the argument otherwise.
func chosen(otherwise string, sources ...[]assignment) string {
	for _, from := range sources {
		for _, a := range from {
			if a.name == "model.method" {
				otherwise = a.text
			}
		}
	}
	return otherwise
}

// without drops settings below the name of another method.
func without(from []assignment, method string) []assignment {
	return slices.DeleteFunc(from, func(a assignment) bool { return a.method != "" && a.method != method })
}
