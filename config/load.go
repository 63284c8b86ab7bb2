package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/viper"

	"pacia/model"
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
	for _, f := range files {
		layers, err := f.layers()
		if err != nil {
			return Config{}, err
		}
		for _, values := range layers {
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
	}
	return decode(v, o.Base)
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
// from the defaults of model.preset.
func decode(v *viper.Viper, base *Config) (Config, error) {
	var c Config
	if base != nil {
		c = *base
	} else {
		v.SetDefault("model.preset", model.Paper)
		var err error
		if c, err = Default(v.GetString("model.preset")); err != nil {
			return Config{}, err
		}
	}
	root := reflect.ValueOf(&c).Elem()
	for _, s := range settings {
		value := v.Get(s.Name)
		if value == nil {
			continue
		}
		if text, ok := value.(string); ok { // from the environment everything is text
			var err error
			if value, err = s.parse(text); err != nil {
				return Config{}, err
			}
		}
		root.FieldByIndex(s.path).Set(reflect.ValueOf(value))
	}
	return c, nil
}
