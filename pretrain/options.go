package pretrain

import (
	"errors"
	"fmt"

	"pacia/fault"
	"pacia/setting"
)

// The tasks.
const (
	Masking = "masking"
	Context = "context"
)

// Options are the settings of a pretraining, named as its flags are; [Default]
// are those of Hu et al.
type Options struct {
	Task         string  `json:"task" yaml:"task" doc:"what the encoder learns" oneof:"masking context"`
	Bonds        bool    `json:"bonds" yaml:"bonds" doc:"hide the bonds at hidden atoms, and ask for their types"`
	Encoder      string  `json:"encoder" yaml:"encoder" doc:"the encoder" oneof:"gin gcn graphsage gat"`
	Layers       int     `json:"layers" yaml:"layers" doc:"L, layers of the encoder" range:"1 64"`
	Width        int     `json:"width" yaml:"width" doc:"d, width of the encoder" range:"1 8192"`
	Dropout      float64 `json:"dropout" yaml:"dropout" doc:"dropout after each layer" range:"[0 1)"`
	Epochs       int     `json:"epochs" yaml:"epochs" doc:"passes over the molecules" range:"1 1000000"`
	Steps        int     `json:"steps" yaml:"steps" doc:"steps in all" range:"1 1000000000" zero:"what --epochs says"`
	Batch        int     `json:"batch" yaml:"batch" doc:"molecules of a step" range:"2 65536"`
	LearningRate float64 `json:"learning_rate" yaml:"learning-rate" doc:"learning rate of Adam" range:"(0 1]"`
	Seed         uint64  `json:"seed" yaml:"seed" doc:"seed of everything that is drawn at random"`
	Device       string  `json:"device" yaml:"device" doc:"where it computes" form:"cpu, cuda or cuda:N"`

	// Settings are those of a training run with this encoder, in YAML. They go
	// into the encoder's file, as those of a run go into its checkpoints.
	Settings string `json:"-" yaml:"-"`
}

// Default returns what Hu et al. took.
func Default() Options {
	return Options{Task: Masking, Encoder: "gin", Layers: 5, Width: 300, Epochs: 100, Batch: 256, LearningRate: 0.001, Device: "cpu"}
}

// Validate reports the first option that cannot be used, by the name of its
// flag.
func (o Options) Validate() error {
	if o.Encoder == "pna" {
		return &fault.Error{What: "--encoder pna: it takes FS-Mol's features of atoms, which SMILES do not give", Fix: "write one of gin, gcn, graphsage, gat"}
	}
	var wrong *setting.Error
	if errors.As(setting.Check("", o), &wrong) {
		return &fault.Error{What: fmt.Sprintf("--%s %s %s", wrong.Name, wrong.Value, wrong.Fault), Fix: wrong.Fix}
	}
	if o.Bonds && o.Task != Masking {
		return &fault.Error{What: "--bonds goes with --task masking alone", Fix: "leave it out"}
	}
	return nil
}
