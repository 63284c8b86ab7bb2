package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"pacia/internal/badinput"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
)

// Options name the sources of the settings.
type Options struct {
	Preset string   // names in config/presets/, without .yaml, separated by commas; later ones win
	File   string   // path of a settings file
	Set    []string // NAME=VALUE; later ones win
	Device string   // overrides all other sources, unless empty
	Base   *Config  // replaces the defaults and config.yaml, unless nil
}

// Load merges the sources and returns the validated settings. Errors in what a user
// wrote are *badinput.Error.
func Load(o Options) (Config, error) {
	c, err := o.merge()
	if err != nil {
		return Config{}, err
	}
	return c, validate(c)
}

// An assignment is a value of a setting. It was checked to be of the setting's type.
type assignment struct {
	name, text string
	method     string         // of model.METHOD.NAME; "" for other settings
	by         badinput.Error // source that the user wrote; empty for a built-in file
}

// merge merges the sources with the defaults of the model's preset and method, which the
// sources choose.
func (o Options) merge() (Config, error) {
	v := viper.New()
	if o.Base == nil {
		v.SetDefault("model.preset", model.Paper)
		v.SetDefault("model.method", methods.Default)
	}
	files, err := o.fromFiles()
	if err != nil {
		return Config{}, err
	}
	variables, err := fromEnvironment()
	if err != nil {
		return Config{}, err
	}
	flags, err := o.fromSet()
	if err != nil {
		return Config{}, err
	}
	method := methods.Default
	if o.Base != nil {
		method = o.Base.Model.Method
	}
	method = chosen(method, files, variables, flags)
	files, flags = without(files, method), without(flags, method)
	for _, a := range files {
		v.SetDefault(a.name, a.text)
	}
	for _, a := range variables {
		if err := v.BindEnv(a.name, Variable(a.name)); err != nil {
			return Config{}, err
		}
	}
	for _, a := range flags {
		v.Set(a.name, a.text)
	}
	var c Config
	if o.Base != nil {
		c = *o.Base
	} else if c, err = Default(v.GetString("model.preset"), v.GetString("model.method")); err != nil {
		return Config{}, err
	}
	for _, from := range [][]assignment{files, variables, flags} {
		if err := foreign(from, c.Model.Method); err != nil {
			return Config{}, err
		}
	}
	err = fill(&c, v)
	if o.Device != "" {
		c.Device = o.Device
	}
	traits, all := methods.TraitsOf(c.Model), slices.Concat(files, variables, flags)
	relocate(&c, all)
	// Built-in files may set these for other methods:
	if traits.Untrained && !byUser(all, "train.episodes") {
		c.Train.Episodes = 0
	}
	if traits.NoEncoder && !byUser(all, "model.pretrained") {
		c.Model.Pretrained = ""
	}
	if traits.Fingerprints && !byUser(all, "train.supervised_epochs") {
		c.Train.SupervisedEpochs = 0
	}
	if err == nil {
		err = idle(c, all)
	}
	if o.Base != nil && !v.IsSet("precision") {
		c = c.Feasible() // the base may have the precision of another device
	}
	return c, err
}

// foreign refuses settings of another method that the user wrote. It accepts those in
// built-in files, which serve all methods.
func foreign(from []assignment, method string) error {
	for _, a := range from {
		if a.by == (badinput.Error{}) || slices.Contains(owners[a.name], method) {
			continue
		}
		f := a.by
		f.What += fmt.Sprintf("%s belongs to model.method=%s, and model.method is %s", a.name, strings.Join(owners[a.name], " or "), method)
		f.Fix = "leave it out"
		if f.File != "" {
			f.Fix += ", or write it below model." + owners[a.name][0] + " in a file for several methods"
		}
		return &f
	}
	return nil
}

// idle refuses settings without an effect, and one with which nothing is learnt, that the user wrote. It accepts those
// in built-in files, which serve all methods, and those of a base, which may come from an earlier version.
func idle(c Config, from []assignment) error {
	if c.Train.SwapClasses && methods.TraitsOf(c.Model).FixedClasses && byUser(from, "train.swap_classes") {
		return &badinput.Error{
			What: "train.swap_classes: model.method=" + c.Model.Method + " learns which class of each training task is active", Fix: "write false",
		}
	}
	for _, i := range c.Model.Idle() {
		for _, a := range slices.Backward(from) {
			if a.name == i.Name && a.by != (badinput.Error{}) {
				f := a.by
				f.What += fmt.Sprintf("%s=%s has no effect: %s", a.name, badinput.Quote(a.text), i.Reason)
				f.Fix = i.Fix
				return &f
			}
		}
	}
	return nil
}

// byUser reports whether the user wrote the setting of that name.
func byUser(from []assignment, name string) bool {
	return slices.ContainsFunc(from, func(a assignment) bool { return a.name == name && a.by != (badinput.Error{}) })
}

// relocate drops the absolute path of another data set, which a source before that of data.path has.
func relocate(c *Config, from []assignment) {
	if last(from, "data.path") > last(from, "data.absolute_path") {
		c.Data.AbsolutePath = ""
	}
}

// last returns the index of the last assignment to the setting of that name, or -1.
func last(all []assignment, name string) int {
	for i, a := range slices.Backward(all) {
		if a.name == name {
			return i
		}
	}
	return -1
}

func fill(c *Config, v *viper.Viper) error {
	for _, s := range setting.List("", *c) {
		if v.IsSet(s.Name) {
			if err := s.Set(c, v.GetString(s.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}
