package rundir

import (
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/internal/setting"
)

// A Setting is one leaf of a settings file.
type Setting struct {
	Name  string // such as train.episodes
	Value string // as in the file
}

// String returns NAME=VALUE, the form of --set.
func (s Setting) String() string { return s.Name + "=" + s.Value }

// Settings holds the settings of one run, in the order of their file.
type Settings []Setting

// Get returns the value of a setting, or "".
func (s Settings) Get(name string) string {
	for _, v := range s {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// Without returns a copy without the settings of these names.
func (s Settings) Without(names ...string) Settings {
	return slices.DeleteFunc(slices.Clone(s), func(v Setting) bool { return slices.Contains(names, v.Name) })
}

// String returns all settings, one a line.
func (s Settings) String() string {
	var b strings.Builder
	for _, v := range s {
		b.WriteString(v.String() + "\n")
	}
	return b.String()
}

// Differences returns the settings of b that are missing or different in a.
func Differences(a, b Settings) Settings {
	return each.If(b, func(v Setting) bool { return !slices.Contains(a, v) })
}

// SettingsOf returns the settings in the struct c.
func SettingsOf(c any) (all Settings) {
	return each.Of(setting.List("", c), func(s setting.Setting) Setting { return Setting{s.Name, s.Value} })
}

// Flatten parses a settings file.
func Flatten(text []byte) (all Settings, err error) {
	entries, err := setting.Flatten(text)
	all = each.Of(entries, func(e setting.Entry) Setting { return Setting{e.Name, e.Value} })
	return all, err
}
