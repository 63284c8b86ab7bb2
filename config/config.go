package config

import (
	"regexp"

	"pacia/fault"
	"pacia/model/methods"
	"pacia/runconfig"
)

// Config is every setting of a run. Package runconfig owns it, and each part
// of the program its part of it.
type Config = runconfig.Config

// Embedded is the data.path of the data set that is part of the program.
const Embedded = "embedded"

// Default is ForMethod with the default method.
func Default(preset string) (Config, error) { return ForMethod(preset, methods.Default) }

// ForMethod returns the settings that hold where no source says otherwise, for
// one of the model's presets (model.Paper, model.Reference) and a method.
func ForMethod(preset, method string) (Config, error) {
	m, err := methods.ForPreset(preset, method)
	if err != nil {
		return Config{}, &fault.Error{Err: err}
	}
	t, err := runconfig.ForPreset(preset)
	if err != nil {
		return Config{}, &fault.Error{Err: err}
	}
	if methods.Traits(method).Untrained {
		t.Episodes = 0
	}
	return Config{
		Device:    "cpu",
		Precision: "float32",
		Data:      runconfig.Data{Path: Embedded, Split: "auto", SMILES: "smiles"},
		Model:     m,
		Episode:   runconfig.Episode{Shots: 10, Queries: 16},
		Train:     t,
	}, nil
}

// validate reports the first setting that is missing, out of range or does
// not go with another one, as a *fault.Error that says what to write instead.
func validate(c Config) error {
	if c.Data.Path == "" {
		return &fault.Error{
			What: "data.path is not set",
			Fix:  "write --set data.path=FOLDER/" + fileName(c.Data.Split),
		}
	}
	if err := c.Validate(); err != nil {
		if fault.Is(err) {
			return err
		}
		return &fault.Error{Err: err}
	}
	return nil
}

var dataSet = regexp.MustCompile(`^[a-z0-9]+$`)

// fileName is what the file of a split is usually called.
func fileName(split string) string {
	if dataSet.MatchString(split) && split != "auto" {
		return split + ".csv.gz"
	}
	return "assays.csv"
}
