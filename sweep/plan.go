package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/run/rundir"
)

// A Plan lists the runs of a sweep.
type Plan struct {
	File      string
	Label     string // File without folder and extension
	Runs      []Run
	Devices   []string
	PerDevice int      // runs at a time on each device
	Slurm     []string // options of sbatch
}

// A Run is one run of a sweep.
type Run struct {
	Name     string // of its folder
	Index    int    // from 0, in the order of the file
	Varied   rundir.Settings
	Config   config.Config
	settings []byte // all settings as YAML
}

// reservedSettings maps settings that a sweep sets itself to advice on what to write instead.
var reservedSettings = map[string]string{
	"seed":           "write seeds: [0, 1] or a count",
	"device":         "write devices: [cpu] or [cuda:0, cuda:1]",
	"train.replicas": "write seeds: COUNT",
}

// Read reads a sweep's file and checks the settings of all its runs.
func Read(path string) (*Plan, error) {
	f, err := readFile(path)
	if err != nil {
		return nil, err
	}
	p := &Plan{File: path, Label: f.label(), Devices: f.devices, PerDevice: f.perDevice, Slurm: f.slurm}
	if len(f.points)*len(f.seeds) > maxRuns {
		return nil, &badinput.Error{File: path, What: fmt.Sprintf("the sweep has more than %d runs", maxRuns), Fix: "vary less"}
	}
	if err := f.checkNames(); err != nil {
		return nil, located(path, err)
	}
	seen, called := map[string]bool{}, map[string]string{} // by the settings
	for i, point := range f.points {
		name := ""
		if f.names != nil {
			name = f.names[i]
		}
		for _, seed := range f.seeds {
			r := Run{Name: runName(point, name, seed), Index: len(p.Runs)}
			if seen[r.Name] {
				return nil, &badinput.Error{File: path, What: "two runs are called " + r.Name, Fix: "keep one of them, or give them different names"}
			}
			seen[r.Name] = true
			if err := r.load(f, point, seed); err != nil {
				return nil, err
			}
			if same := called[string(r.settings)]; same != "" {
				what := "runs " + same + " and " + r.Name + " have the same settings"
				return nil, &badinput.Error{File: path, What: what, Fix: "leave one of them out"}
			}
			called[string(r.settings)] = r.Name
			p.Runs = append(p.Runs, r)
		}
	}
	return p, nil
}

// checkNames checks every setting by itself, so that an error has its row.
func (f *file) checkNames() error {
	checked := map[string]bool{}
	for _, a := range slices.Concat(append([][]assignment{f.set}, f.points...)...) {
		if checked[a.String()] {
			continue
		}
		checked[a.String()] = true
		if fix, ok := reservedSettings[a.name]; ok {
			return &badinput.Error{Row: a.row, What: a.name + " is not a setting to vary", Fix: fix}
		}
		var wrong *badinput.Error
		if err := config.CheckSet(a.String()); errors.As(err, &wrong) {
			wrong.Row = a.row
			return wrong
		}
	}
	return nil
}

func (r *Run) load(f *file, point []assignment, seed uint64) (err error) {
	o := config.Options{Preset: f.preset, File: f.config, Device: f.devices[0]}
	for _, a := range slices.Concat(f.set, point) {
		o.Set = append(o.Set, a.String())
	}
	for _, a := range point {
		r.Varied = append(r.Varied, rundir.Setting{Name: a.name, Value: a.value})
	}
	o.Set = append(o.Set, fmt.Sprintf("seed=%d", seed))
	if r.Config, err = config.Load(o); err != nil {
		var wrong *badinput.Error
		if errors.As(err, &wrong) && wrong.File == "" {
			wrong.File, wrong.What = f.path, strings.TrimSuffix("run "+r.Name+": "+wrong.What, ": ")
		}
		return err
	}
	if n := r.Config.Train.Replicas; n > 1 {
		return &badinput.Error{File: f.path, What: fmt.Sprintf("run %s: train.replicas is %d", r.Name, n), Fix: "write train.replicas: 1 and seeds"}
	}
	var text bytes.Buffer
	err = config.Write(&text, r.Config)
	r.settings = text.Bytes()
	return err
}
