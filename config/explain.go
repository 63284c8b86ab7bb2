package config

import (
	"reflect"
	"slices"
	"strings"

	"pacia/internal/setting"
	"pacia/model/methods"
)

// An Explanation describes one setting.
type Explanation struct {
	Name     string   `json:"name"`
	Meaning  string   `json:"meaning"`
	Range    string   `json:"range,omitempty"`
	Choices  []string `json:"choices,omitempty"` // if there are only a few values
	Default  string   `json:"default"`
	Variable string   `json:"variable"`          // of the environment
	Methods  []string `json:"methods,omitempty"` // that have the setting; none: all
	Group    string   `json:"group,omitempty"`   // meaning of its section
	Others   []Other  `json:"other_defaults,omitempty"`
}

// An Other is the default of a setting with these methods.
type Other struct {
	Default string   `json:"default"`
	Methods []string `json:"methods"`
}

// DefaultWith returns the default with a method.
func (e Explanation) DefaultWith(method string) string {
	for _, o := range e.Others {
		if slices.Contains(o.Methods, method) {
			return o.Default
		}
	}
	return e.Default
}

// Section returns the name without its last part: train for train.episodes.
func (e Explanation) Section() string {
	return e.Name[:max(0, strings.LastIndexByte(e.Name, '.'))]
}

// Explain explains the named settings and those below the named sections, or all settings
// without names, section by section, for all methods. The defaults are those of the model's
// preset and method in o. A setting that this method does not have has the default of the
// first method that has it. Different defaults of other methods are listed.
func Explain(o Options, names ...string) ([]Explanation, error) {
	for _, name := range names {
		if _, err := lookUp(name); err != nil && !isSection(name) {
			return nil, err
		}
	}
	c, err := o.merge()
	if err != nil {
		return nil, err
	}
	defaults, by := map[string]setting.Setting{}, map[string]map[string]string{} // by the setting's name and the method's
	for _, method := range append(methods.Names(), c.Model.Method) {
		d, err := Default(c.Model.Preset, method)
		if err != nil {
			return nil, err
		}
		for _, s := range setting.List("", d) {
			if by[s.Name] == nil {
				by[s.Name] = map[string]string{}
			}
			by[s.Name][method] = s.Value
			if owners[s.Name][0] == method || method == c.Model.Method {
				defaults[s.Name] = s
			}
		}
	}
	var all []Explanation
	for _, s := range settings {
		if among(s.Name, names) {
			e := explain(defaults[s.Name])
			e.Others = others(e, by[s.Name])
			all = append(all, e)
		}
	}
	return bySection(all), nil
}

// others lists the defaults that differ from e's, each with the names of its methods.
func others(e Explanation, defaults map[string]string) (all []Other) {
	if e.Name == "model.method" {
		return nil // each method's default is its own name
	}
	for _, method := range owners[e.Name] {
		value := defaults[method]
		if value == e.Default {
			continue
		}
		at := slices.IndexFunc(all, func(o Other) bool { return o.Default == value })
		if at < 0 {
			at, all = len(all), append(all, Other{Default: value})
		}
		all[at].Methods = append(all[at].Methods, method)
	}
	return all
}

func explain(s setting.Setting) Explanation {
	e := Explanation{
		Name: s.Name, Meaning: s.Doc, Range: s.Range, Default: s.Value, Variable: Variable(s.Name),
		Methods: owners[s.Name], Group: s.Group, Choices: s.Choices(),
	}
	switch {
	case s.Name == "model.method":
		e.Choices = methods.Names()
		e.Range = strings.Join(e.Choices, " | ")
	case s.Type.Kind() == reflect.Bool:
		e.Choices = []string{"true", "false"}
	}
	if len(e.Methods) == len(methods.All) {
		e.Methods = nil
	}
	return e
}

func among(name string, names []string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool {
		return name == n || strings.HasPrefix(name, n+".")
	})
}

// bySection sorts settings by section. Sections are in the order of their first settings.
func bySection(all []Explanation) (sorted []Explanation) {
	done := map[string]bool{}
	for _, first := range all {
		if done[first.Section()] {
			continue
		}
		done[first.Section()] = true
		for _, e := range all {
			if e.Section() == first.Section() {
				sorted = append(sorted, e)
			}
		}
	}
	return sorted
}
