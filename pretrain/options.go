package pretrain

import (
	"fmt"
	"slices"
	"strings"

	"pacia/fault"
)

// The tasks.
const (
	Masking = "masking"
	Context = "context"
)

// Encoders are those that learn from SMILES.
var Encoders = []string{"gin", "gcn", "graphsage", "gat"}

// Options are the settings of a pretraining; [Default] are those of Hu et al.
type Options struct {
	Task         string  `json:"task"`    // Masking | Context
	Bonds        bool    `json:"bonds"`   // masking hides the bonds at an atom, too
	Encoder      string  `json:"encoder"` // one of Encoders
	Layers       int     `json:"layers"`  // L
	Width        int     `json:"width"`   // d
	Dropout      float64 `json:"dropout"` // after each layer
	Epochs       int     `json:"epochs"`  // passes over the molecules
	Steps        int     `json:"steps"`   // in all; 0: as Epochs says
	Batch        int     `json:"batch"`   // molecules of a step
	LearningRate float64 `json:"learning_rate"`
	Seed         uint64  `json:"seed"`
	Device       string  `json:"device"` // cpu | cuda | cuda:N

	// Settings are those of a training run with this encoder, in YAML. They go
	// into the encoder's file, as those of a run go into its checkpoints.
	Settings string `json:"-"`
}

// Default returns what Hu et al. took.
func Default() Options {
	return Options{Task: Masking, Encoder: "gin", Layers: 5, Width: 300, Epochs: 100, Batch: 256, LearningRate: 0.001, Device: "cpu"}
}

// Validate reports the first option that cannot be used, by the name of its
// flag.
func (o Options) Validate() error {
	switch {
	case !slices.Contains([]string{Masking, Context}, o.Task):
		return refused("task", o.Task, "masking or context")
	case o.Encoder == "pna":
		return &fault.Error{What: "--encoder pna: it takes FS-Mol's features of atoms, which SMILES do not give",
			Fix: "write one of " + strings.Join(Encoders, ", ")}
	case !slices.Contains(Encoders, o.Encoder):
		return refused("encoder", o.Encoder, "one of "+strings.Join(Encoders, ", "))
	case o.Bonds && o.Task != Masking:
		return &fault.Error{What: "--bonds goes with --task masking alone", Fix: "leave it out"}
	case !(o.Dropout >= 0 && o.Dropout < 1):
		return refused("dropout", o.Dropout, "a number from 0 to below 1")
	case !(o.LearningRate > 0 && o.LearningRate <= 1):
		return refused("learning-rate", o.LearningRate, "a number above 0, up to 1")
	}
	for _, n := range []struct {
		flag          string
		got, min, max int
	}{
		{"layers", o.Layers, 1, 64}, {"width", o.Width, 1, 8192}, {"epochs", o.Epochs, 1, 1_000_000},
		{"steps", o.Steps, 0, 1_000_000_000}, {"batch", o.Batch, 2, 65_536},
	} {
		if n.got < n.min || n.got > n.max {
			return refused(n.flag, n.got, fmt.Sprintf("%d to %d", n.min, n.max))
		}
	}
	return nil
}

func refused(flag string, value any, want string) error {
	return &fault.Error{What: fmt.Sprintf("--%s %v cannot be used", flag, value), Fix: "write " + want}
}
