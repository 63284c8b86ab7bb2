package config

import (
	"context"
	_ "embed" // the former names of presets
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"pacia"
	"pacia/internal/badinput"
	"pacia/internal/input"
	"pacia/internal/setting"
	"pacia/run/runconfig"
)

// A source is the text of one settings file.
type source struct {
	name    string // for messages
	text    []byte
	builtIn bool
}

// fromFiles reads the settings files of o, or the built-in config.yaml. The entries are in
// the order of the files.
func (o Options) fromFiles() (all []assignment, err error) {
	if o.Preset != "" {
		if all, err = fromPresets(o.Preset); err != nil {
			return nil, err
		}
	}
	var files []source
	if o.File != "" {
		text, err := input.ReadAll(context.Background(), o.File, input.Stream, runconfig.MaxFile) // a signal ends the program
		if err != nil {
			return nil, unreadable(o.File, err)
		}
		files = append(files, source{name: o.File, text: text})
	}
	if o.Preset == "" && o.File == "" && o.Base == nil {
		text, err := pacia.Settings.ReadFile("config.yaml")
		if err != nil {
			return nil, fmt.Errorf("reading the built-in settings: %w", err)
		}
		files = append(files, source{"config.yaml", text, true})
	}
	for _, f := range files {
		from, err := f.assignments()
		if err != nil {
			return nil, err
		}
		all = append(all, from...)
	}
	return all, nil
}

// The built-in settings files are folder/NAME.ending.
const (
	folder = "config/presets/"
	ending = ".yaml"
)

// fromPresets reads the presets of a list of names, separated by commas, in their order.
func fromPresets(names string) (all []assignment, err error) {
	for name := range strings.SplitSeq(names, ",") {
		var from []assignment
		name = strings.TrimSpace(name)
		if parts := former()[name]; parts != "" {
			from, err = fromPresets(parts)
		} else if s, unknown := builtIn(name); unknown != nil {
			err = unknown
		} else {
			from, err = s.assignments()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, from...)
	}
	return all, nil
}

//go:embed former.yaml
var formerText []byte

// former maps names of earlier versions to the presets that replace them.
var former = sync.OnceValue(func() (names map[string]string) {
	if err := yaml.Unmarshal(formerText, &names); err != nil {
		panic("config: former.yaml: " + err.Error()) // it is built in
	}
	return names
})

func builtIn(preset string) (source, error) {
	text, err := pacia.Settings.ReadFile(folder + preset + ending)
	if err != nil {
		f := &badinput.Error{What: fmt.Sprintf("unknown preset %s", badinput.Quote(preset)), Fix: "pacia config --list shows all"}
		if near := badinput.Nearest(preset, Presets()); near != "" {
			f.Fix = "the nearest known one is " + near + "; " + f.Fix
		}
		return source{}, f
	}
	return source{"preset " + preset, text, true}, nil
}

// Presets returns the names of all presets, sorted. The name of a preset in a folder is
// FOLDER/NAME.
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

// About returns the first paragraph of a preset's comment.
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
	f := *input.Unreadable(file, err)
	if f.What == "cannot be read" {
		f.What, f.Fix = "cannot read the settings", ""
	}
	return &f
}

// presetKey is the key of the presets that a settings file extends. It is the only key that
// is not a setting.
const presetKey = "preset"

// assignments returns the settings of the file, after those of the presets that it extends.
func (s source) assignments() (all []assignment, err error) {
	entries, err := setting.Flatten(s.text)
	if err != nil {
		return nil, s.located(0, err)
	}
	for _, e := range entries {
		if e.Name == presetKey {
			extended, err := fromPresets(e.Value)
			if err != nil {
				return nil, s.located(e.Row, err)
			}
			all = append(extended, all...)
			continue
		}
		if method, plain := scope(e.Name); e.Value == "" && (isSection(plain) || method != "" && plain == "model.") {
			continue // a group without settings
		}
		known, method, err := settingNamed(e.Name)
		if err == nil {
			_, err = known.Parse(e.Value)
		}
		if err != nil {
			return nil, s.located(e.Row, err)
		}
		a := assignment{name: known.Name, text: e.Value, method: method}
		if !s.builtIn {
			a.by = badinput.Error{File: s.name, Row: e.Row}
		}
		all = append(all, a)
	}
	return all, nil
}

func (s source) located(row int, err error) error {
	var f *badinput.Error
	if !errors.As(err, &f) {
		f = &badinput.Error{What: err.Error()}
	}
	if f.File == "" {
		f.File, f.Row = s.name, max(row, f.Row)
	}
	return f
}
