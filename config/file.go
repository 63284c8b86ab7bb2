package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia"
	"pacia/fault"
)

// A source is the text of one settings file.
type source struct {
	name string // as the user knows it
	text []byte
}

// files returns the settings files that o names, or the built-in default, the
// later winning.
func (o Options) files() ([]source, error) {
	var all []source
	if o.Preset != "" {
		s, err := builtIn(o.Preset)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if o.File != "" {
		text, err := os.ReadFile(o.File)
		if err != nil {
			return nil, unreadable(o.File, err)
		}
		all = append(all, source{o.File, text})
	}
	if len(all) == 0 && o.Base == nil {
		text, err := pacia.Settings.ReadFile("config.yaml")
		if err != nil {
			return nil, fmt.Errorf("reading the built-in settings: %w", err)
		}
		all = append(all, source{"config.yaml", text})
	}
	return all, nil
}

// The built-in settings files are folder/NAME.ending.
const (
	folder = "configs/"
	ending = ".yaml"
)

func builtIn(preset string) (source, error) {
	text, err := pacia.Settings.ReadFile(folder + preset + ending)
	if err != nil {
		return source{}, &fault.Error{
			What: fmt.Sprintf("unknown preset %q", preset),
			Fix:  "the nearest known one is " + nearestOf(preset, Presets()) + "; pacia config --list shows all",
		}
	}
	return source{"preset " + preset, text}, nil
}

// Presets returns the names that Options.Preset may have, sorted. Those in a
// folder have its name before a slash.
func Presets() []string {
	var names []string
	_ = fs.WalkDir(pacia.Settings, strings.TrimSuffix(folder, "/"), func(file string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(file, folder), ending); ok && err == nil {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// About returns the first sentences of a preset, up to a line without words.
func About(preset string) string {
	s, err := builtIn(preset)
	if err != nil {
		return ""
	}
	var text []string
	for line := range strings.Lines(string(s.text)) {
		words := strings.TrimSpace(strings.TrimPrefix(line, "#"))
		if !strings.HasPrefix(line, "#") || words == "" {
			break
		}
		text = append(text, words)
	}
	return strings.Join(text, " ")
}

func unreadable(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err // the file's name is in the fault already
	}
	return &fault.Error{File: file, What: "cannot read the settings", Err: err}
}

// layers reads the file into values by full name (train.episodes), after those
// of the preset that it goes out from, if it names one.
func (s source) layers() ([]map[string]any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(s.text, &doc); err != nil {
		return nil, &fault.Error{File: s.name, What: "not a YAML file", Err: err}
	}
	r := reader{file: s.name, values: map[string]any{}, rows: map[string]int{}}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if err := r.group(doc.Content[0], ""); err != nil {
		return nil, err
	}
	return append(r.before, r.values), nil
}

// presetKey is the one name in a settings file that is no setting: the preset
// that the file goes out from.
const presetKey = "preset"

// A reader walks one YAML document and checks every name and value in it.
type reader struct {
	file   string
	before []map[string]any // of the preset
	values map[string]any
	rows   map[string]int // where a name was set
}

// group reads the mapping n of settings whose names begin with prefix.
func (r *reader) group(n *yaml.Node, prefix string) error {
	if n.Kind != yaml.MappingNode {
		return &fault.Error{File: r.file, Row: n.Line, What: fmt.Sprintf("%q where settings should be", n.Value), Fix: "write name: value"}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := r.entry(n.Content[i], n.Content[i+1], prefix); err != nil {
			var f *fault.Error
			if errors.As(err, &f) && f.File == "" {
				f.File, f.Row = r.file, n.Content[i].Line
			}
			return err
		}
	}
	return nil
}

func (r *reader) entry(key, value *yaml.Node, prefix string) error {
	name := prefix + key.Value
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	empty := value.Kind == yaml.ScalarNode && value.Tag == "!!null"
	if isSection(name) && (empty || value.Kind == yaml.MappingNode) {
		if empty {
			return nil
		}
		return r.group(value, name+".")
	}
	if name == presetKey {
		return r.goOut(value)
	}
	s, err := lookUp(name)
	if err != nil {
		return err
	}
	if row, twice := r.rows[name]; twice {
		return &fault.Error{What: fmt.Sprintf("%s is set twice, first in row %d", name, row), Fix: "keep one of the two"}
	}
	r.rows[name] = key.Line
	if value.Kind != yaml.ScalarNode {
		return &fault.Error{What: name + " takes one value, not a list or a group"}
	}
	text := value.Value
	if empty {
		text = ""
	}
	r.values[name], err = s.parse(text)
	return err
}

// goOut reads the preset that the file goes out from, which may go out from
// another one.
func (r *reader) goOut(value *yaml.Node) error {
	base, err := builtIn(value.Value)
	if err != nil {
		return err
	}
	r.before, err = base.layers()
	return err
}
