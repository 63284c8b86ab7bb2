package train

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"pacia/model"
	"pacia/ops"
)

// RunConfig is everything that a training run depends on: written to
// DIR/config.yaml, carried by every checkpoint, compared on resume.
type RunConfig struct {
	Seed    uint64 `yaml:"seed"`
	Threads int    `yaml:"threads"` // of libtorch; 0: all cores
	Device  string `yaml:"device"`  // cpu | cuda | cuda:N
	// Precision is that of the factors of matrix products: float32, on a GPU
	// also tf32, on a CPU with AMX also bf16.
	Precision string        `yaml:"precision"`
	Data      DataConfig    `yaml:"data"`
	Model     model.Config  `yaml:"model"`
	Episode   EpisodeConfig `yaml:"episode"`
	Train     Config        `yaml:"train"`
}

// cpu is the device that needs no GPU.
const cpu = "cpu"

// precisions are the names of the precisions, in RunConfig.
var precisions = map[string]ops.Precision{"float32": ops.Float32, "tf32": ops.TF32, "bf16": ops.BF16}

// SetPrecision makes the products of this process as c says.
func (c RunConfig) SetPrecision() { ops.SetPrecision(precisions[c.Precision]) }

// On returns the settings with which a trained model computes on a device:
// in float32 where that has not the precision of its training.
func (c RunConfig) On(device string, threads int) RunConfig {
	c.Device, c.Threads = device, threads
	if _, known := precisions[c.Precision]; known && c.checkPrecision() != nil {
		c.Precision = "float32"
	}
	return c
}

// DataConfig says which molecules and tasks a run uses.
type DataConfig struct {
	Path   string `yaml:"path"`   // "embedded", a CSV or CSV.gz in the layout of MoleculeNet, or a folder of FS-Mol's task files
	Split  string `yaml:"split"`  // auto (the folds of a folder), a data set's name, or tasks such as 0-8/9-11 (training/test)
	SMILES string `yaml:"smiles"` // name of the column that holds the molecules
	Cache  string `yaml:"cache"`  // folder of the graph store; empty: the user's cache folder
}

var deviceName = regexp.MustCompile(`^(cpu|cuda(:[0-9]{1,3})?)$`)

// Validate reports the first setting that cannot be used, before anything is
// loaded.
func (c RunConfig) Validate() error {
	if c.Threads < 0 || c.Threads > 1024 {
		return fmt.Errorf("threads: %d is out of range; write 0 (all cores) to 1024", c.Threads)
	}
	if !deviceName.MatchString(c.Device) {
		return fmt.Errorf("device: %q is not known; write cpu, cuda or cuda:N", c.Device)
	}
	if err := c.checkPrecision(); err != nil {
		return err
	}
	if err := c.Data.Validate(); err != nil {
		return err
	}
	if err := c.Model.Validate(); err != nil {
		return err
	}
	if err := c.Episode.Validate(); err != nil {
		return err
	}
	if err := c.Train.Validate(); err != nil {
		return err
	}
	if err := c.Train.FineTune.Check(c.Model.Method); err != nil {
		return err
	}
	if last := uint64(c.Train.Replicas - 1); c.Seed > math.MaxUint64-last {
		return fmt.Errorf("seed: %d leaves no room for %d replicas; write %d or less", c.Seed, c.Train.Replicas, math.MaxUint64-last)
	}
	return nil
}

// checkPrecision refuses what the device does not have. Configurations of
// earlier versions may say tf32 on the CPU, where it was rounding without gain,
// and bf16 on a GPU, where it was TF32.
func (c RunConfig) checkPrecision() error {
	p, known := precisions[c.Precision]
	switch onCPU := c.Device == cpu; {
	case !known:
		return fmt.Errorf("precision: %q is not known; write float32, tf32 (on a GPU) or bf16 (on a CPU)", c.Precision)
	case p == ops.TF32 && onCPU:
		return errors.New("precision: tf32 is for GPUs; with device=cpu write float32")
	case p == ops.BF16 && !onCPU:
		return errors.New("precision: bf16 is for CPUs; on a GPU write tf32 or float32")
	case p == ops.BF16 && !ops.HasBF16():
		return errors.New("precision: bf16 needs a processor with AMX, which this is not; write float32")
	}
	return nil
}

// Validate reports the first setting that is missing.
func (c DataConfig) Validate() error {
	for _, f := range []struct{ name, got, fix string }{
		{"path", c.Path, "embedded, the name of a CSV file or that of a folder of task files"},
		{"split", c.Split, "auto or task numbers such as 0-8/9-11"},
		{"smiles", c.SMILES, "the name of the column that holds SMILES"},
	} {
		if f.got == "" {
			return fmt.Errorf("data.%s: is empty; write %s", f.name, f.fix)
		}
	}
	return nil
}
