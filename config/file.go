package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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
		text, err := pacia.Settings.ReadFile("configs/" + o.Preset + ".yaml")
		if err != nil {
			return nil, &fault.Error{
				What: fmt.Sprintf("unknown preset %q", o.Preset),
				Fix:  "write one of " + strings.Join(Presets(), ", "),
			}
		}
		all = append(all, source{"preset " + o.Preset, text})
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

// Presets returns the names that Options.Preset may have, sorted.
func Presets() []string {
	files, _ := fs.Glob(pacia.Settings, "configs/*.yaml") // the pattern is well formed
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".yaml"))
	}
	return names
}

func unreadable(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err // the file's name is in the fault already
	}
	return &fault.Error{File: file, What: "cannot read the settings", Err: err}
}

// settings reads the file into values by full name (train.episodes).
func (s source) settings() (map[string]any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(s.text, &doc); err != nil {
		return nil, &fault.Error{File: s.name, What: "not a YAML file", Err: err}
	}
	r := reader{file: s.name, values: map[string]any{}, rows: map[string]int{}}
	if len(doc.Content) == 0 {
		return r.values, nil
	}
	return r.values, r.group(doc.Content[0], "")
}

// A reader walks one YAML document and checks every name and value in it.
type reader struct {
	file   string
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
