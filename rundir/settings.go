package rundir

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Setting is one leaf of a settings file.
type Setting struct {
	Name  string // as in train.episodes
	Value string // as the file has it
}

// String returns NAME=VALUE, as --set takes it.
func (s Setting) String() string { return s.Name + "=" + s.Value }

// Settings are those of one run, in the order of their file.
type Settings []Setting

// Get returns the value of a setting, or nothing.
func (s Settings) Get(name string) string {
	for _, v := range s {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// Without leaves out the settings of these names.
func (s Settings) Without(names ...string) Settings {
	return slices.DeleteFunc(slices.Clone(s), func(v Setting) bool { return slices.Contains(names, v.Name) })
}

// String returns all of them, a line each.
func (s Settings) String() string {
	var b strings.Builder
	for _, v := range s {
		b.WriteString(v.String() + "\n")
	}
	return b.String()
}

// Differences returns the settings of b that a lacks or has with other values.
func Differences(a, b Settings) Settings {
	var different Settings
	for _, v := range b {
		if !slices.Contains(a, v) {
			different = append(different, v)
		}
	}
	return different
}

// Of returns the settings that c, a struct with yaml names, holds.
func Of(c any) (Settings, error) {
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, err
	}
	return Flatten(text)
}

// Flatten reads the text of a settings file.
func Flatten(text []byte) (Settings, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("no settings")
	}
	return leaves(doc.Content[0], ""), nil
}

func leaves(n *yaml.Node, prefix string) Settings {
	var all Settings
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := prefix+n.Content[i].Value, n.Content[i+1]
		if value.Kind == yaml.MappingNode {
			all = append(all, leaves(value, name+".")...)
			continue
		}
		all = append(all, Setting{name, value.Value})
	}
	return all
}
