package config

import (
	"fmt"
	"regexp"

	"pacia/fault"
	"pacia/model"
	"pacia/train"
)

// Config is every setting of a run.
type Config struct {
	Seed    uint64              `yaml:"seed"`    // of weights, episodes and dropout
	Threads int                 `yaml:"threads"` // CPU threads; 0: all cores
	Device  string              `yaml:"device"`  // cpu | cuda | cuda:N
	Data    Data                `yaml:"data"`
	Model   model.Config        `yaml:"model"`
	Episode train.EpisodeConfig `yaml:"episode"`
	Train   train.Config        `yaml:"train"`
}

// Data says which molecules and tasks to work on.
type Data struct {
	Path   string `yaml:"path"`   // CSV or CSV.gz in the MoleculeNet layout, or embedded
	Split  string `yaml:"split"`  // auto, a data set's name, or TRAIN/TEST such as 0-8/9-11
	SMILES string `yaml:"smiles"` // name of the column with the molecules
	Cache  string `yaml:"cache"`  // folder of the graph store; empty: pacia in the user's cache folder
}

// Embedded is the data.path of the data set that is part of the program.
const Embedded = "embedded"

// Default returns the settings that hold where no source says otherwise, for
// one of the model's presets (model.Paper, model.Reference).
func Default(preset string) (Config, error) {
	m, err := model.ForPreset(preset)
	if err != nil {
		return Config{}, &fault.Error{Err: err}
	}
	t, err := train.ForPreset(preset)
	if err != nil {
		return Config{}, &fault.Error{Err: err}
	}
	return Config{
		Device:  "cpu",
		Data:    Data{Path: Embedded, Split: "auto", SMILES: "smiles"},
		Model:   m,
		Episode: train.EpisodeConfig{Shots: 10, Queries: 16},
		Train:   t,
	}, nil
}

// maxThreads is far above any machine's cores and low enough that OpenMP
// still starts.
const maxThreads = 1024

var device = regexp.MustCompile(`^(cpu|cuda(:[0-9]{1,3})?)$`)

// Validate reports the first setting that is out of range or does not go with
// another one, as a *fault.Error that says what to write instead.
func (c Config) Validate() error {
	if c.Threads < 0 || c.Threads > maxThreads {
		return fault.Newf("threads: %d is out of range; write 1 to %d, or 0 for all cores", c.Threads, maxThreads)
	}
	if !device.MatchString(c.Device) {
		return fault.Newf("device: %q is not one of cpu, cuda, cuda:N", c.Device)
	}
	for _, part := range []interface{ Validate() error }{c.Data, c.Model, c.Episode, c.Train} {
		if err := part.Validate(); err != nil {
			if fault.Is(err) {
				return err
			}
			return &fault.Error{Err: err}
		}
	}
	return nil
}

// Validate reports the first setting that is missing.
func (d Data) Validate() error {
	if d.Path == "" {
		return &fault.Error{
			What: "data.path is not set",
			Fix:  fmt.Sprintf("write --set data.path=FOLDER/%s", d.fileName()),
		}
	}
	if d.Split == "" {
		return &fault.Error{What: "data.split is empty", Fix: "write auto, or the training and the test tasks as in 0-8/9-11"}
	}
	if d.SMILES == "" {
		return &fault.Error{What: "data.smiles is empty", Fix: "write the name of the column that holds the molecules"}
	}
	return nil
}

// fileName is what the data set of a split is usually called.
func (d Data) fileName() string {
	if known := regexp.MustCompile(`^[a-z0-9]+$`); known.MatchString(d.Split) && d.Split != "auto" {
		return d.Split + ".csv.gz"
	}
	return "assays.csv"
}
