package config

import (
	"cmp"
	"regexp"

	"pacia/internal/badinput"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// Config holds all settings of a run. Package runconfig defines it, from a struct of
// each part of the program.
type Config = runconfig.Config

// Embedded is the data.path of the data set that is part of the program.
const Embedded = "embedded"

// Default returns the default settings for one of the model's presets (model.Paper,
// model.Reference) and a method. An empty method is the default method.
func Default(preset, method string) (Config, error) {
	method = cmp.Or(method, methods.Default)
	m, err := methods.ForPreset(preset, method)
	if err != nil {
		return Config{}, &badinput.Error{Err: err}
	}
	t, err := runconfig.ForPreset(preset)
	if err != nil {
		return Config{}, &badinput.Error{Err: err}
	}
	t.FineTune = runconfig.TuningOf(method)
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

// validate reports the first setting that is missing, out of range or in conflict
// with another one, as a *badinput.Error with the value to write instead.
func validate(c Config) error {
	if c.Data.Path == "" {
		return &badinput.Error{
			What: "data.path is not set",
			Fix:  "write data.path=FOLDER/" + fileName(c.Data.Split) + ": behind --set, below set: of a sweep, or as PACIA_DATA_PATH",
		}
	}
	if err := c.Validate(); err != nil {
		if badinput.Is(err) {
			return err
		}
		return &badinput.Error{Err: err}
	}
	return nil
}

var dataSet = regexp.MustCompile(`^[a-z0-9]+$`)

func fileName(split string) string {
	if dataSet.MatchString(split) && split != "auto" {
		return split + ".csv.gz"
	}
	return "assays.csv"
}
