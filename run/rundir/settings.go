package rundir

import (
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/internal/setting"
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
	return each.If(b, func(v Setting) bool { return !slices.Contains(a, v) })
}

// Of returns the settings that c holds.
func Of(c any) (all Settings) {
	return each.Of(setting.List("", c), func(s setting.Setting) Setting { return Setting{s.Name, s.Value} })
}

// Flatten reads the text of a settings file.
func Flatten(text []byte) (all Settings, err error) {
	entries, err := setting.Flatten(text)
	all = each.Of(entries, func(e setting.Entry) Setting { return Setting{e.Name, e.Value} })
	return all, err
}
