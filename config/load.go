package config

import (
	"fmt"
	"strings"

	"github.com/spf13/viper"

	"pacia/fault"
	"pacia/model"
	"pacia/model/methods"
	of "pacia/setting"
)

// Options name the sources of the settings.
type Options struct {
	Preset string   // name in configs/, without .yaml
	File   string   // path of a settings file
	Set    []string // NAME=VALUE, the later winning
	Base   *Config  // what to lay the other sources over, in place of the defaults and config.yaml
}

// Load returns the validated settings that the sources amount to. Errors
// about what a person wrote are *fault.Error.
func Load(o Options) (Config, error) {
	c, err := o.merge()
	if err != nil {
		return Config{}, err
	}
	return c, validate(c)
}

// merge lays the sources over the defaults of the preset that they choose.
func (o Options) merge() (Config, error) {
	v := viper.New()
	files, err := o.files()
	if err != nil {
		return Config{}, err
	}
	asked := map[string]bool{} // what the user wrote, whom presets of another method do not concern
	for _, f := range files {
		layers, err := f.layers()
		if err != nil {
			return Config{}, err
		}
		for i, values := range layers {
			for name := range values {
				asked[name] = asked[name] || f.name == o.File && i == len(layers)-1
			}
			if err := v.MergeConfigMap(nested(values)); err != nil {
				return Config{}, fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	if err := environment(v); err != nil {
		return Config{}, err
	}
	for _, text := range o.Set {
		name, value, err := assignment(text)
		if err != nil {
			return Config{}, err
		}
		v.Set(name, value)
		asked[name] = true
	}
	return decode(v, o.Base, asked)
}

// nested turns {"train.episodes": 1} into {"train": {"episodes": 1}}, the
// form in which viper takes a file.
func nested(values map[string]any) map[string]any {
	tree := map[string]any{}
	for name, value := range values {
		parts := strings.Split(name, ".")
		at := tree
		for _, p := range parts[:len(parts)-1] {
			if _, ok := at[p]; !ok {
				at[p] = map[string]any{}
			}
			at = at[p].(map[string]any)
		}
		at[parts[len(parts)-1]] = value
	}
	return tree
}

// decode gives Config the values of v, the rest from base or, without one,
// from the defaults of model.preset and model.method.
func decode(v *viper.Viper, base *Config, asked map[string]bool) (Config, error) {
	var c Config
	if base != nil {
		c = *base
	} else {
		v.SetDefault("model.preset", model.Paper)
		v.SetDefault("model.method", methods.Default)
		var err error
		if c, err = ForMethod(v.GetString("model.preset"), v.GetString("model.method")); err != nil {
			return Config{}, err
		}
	}
	known := map[string]bool{}
	for _, s := range of.List("", c) {
		known[s.Name] = true
		if value := v.Get(s.Name); value != nil {
			if err := s.Set(&c, fmt.Sprint(value)); err != nil {
				return Config{}, &fault.Error{Err: err}
			}
		}
	}
	for _, s := range settings {
		if mine, inFile := asked[s.Name]; (mine || !inFile) && v.Get(s.Name) != nil && !known[s.Name] {
			return Config{}, &fault.Error{What: fmt.Sprintf("%s belongs to model.method=%s, and model.method is %s",
				s.Name, strings.Join(methods.Owners(s.Name), " or "), c.Model.Method), Fix: "leave it out"}
		}
	}
	return c, nil
}
