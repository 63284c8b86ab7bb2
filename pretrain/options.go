package pretrain

import (
	"errors"
	"fmt"

	"pacia/internal/badinput"
	"pacia/internal/setting"
)

// The tasks.
const (
	Masking    = "masking"
	Context    = "context"
	Edges      = "edges"
	Infomax    = "infomax"
	Supervised = "supervised"
	GraphMAE   = "graphmae"
	GraphLoG   = "graphlog"
	MGSSL      = "mgssl"
)

// The orders in which MGSSL generates motifs.
const (
	BreadthFirst = "bfs"
	DepthFirst   = "dfs"
)

// Options are the settings of a pretraining, with the names of its flags. [Default]
// returns those of Hu et al.
type Options struct {
	Task         string  `json:"task" yaml:"task" doc:"what the encoder learns" oneof:"masking context edges infomax supervised graphmae graphlog mgssl"`
	Bonds        bool    `json:"bonds" yaml:"bonds" doc:"hide the bonds at hidden atoms, and ask for their types"`
	Mask         float64 `json:"mask" yaml:"mask" doc:"share of the atoms that masking, graphmae, graphlog and mgssl --levels hide" range:"[0 1)" zero:"as published: 0.15, 0.25, 0.3, 0.15"`
	Order        string  `json:"order" yaml:"order" doc:"mgssl generates motifs breadth first or depth first" oneof:"bfs dfs"`
	Rare         int     `json:"rare" yaml:"rare" doc:"motifs that mgssl meets fewer times than this are of one kind (published: 1)" range:"1 1000000"`
	Levels       bool    `json:"levels" yaml:"levels" doc:"mgssl also asks for hidden atoms and bonds"`
	Start        string  `json:"start" yaml:"start" doc:"encoder to start from: of pacia pretrain, a checkpoint, or a PyTorch state dict" form:"a file" zero:"random weights"`
	Encoder      string  `json:"encoder" yaml:"encoder" doc:"the encoder" oneof:"@pretrained encoders"`
	Layers       int     `json:"layers" yaml:"layers" doc:"L, layers of the encoder" range:"1 64"`
	Width        int     `json:"width" yaml:"width" doc:"d, width of the encoder" range:"1 8192"`
	Dropout      float64 `json:"dropout" yaml:"dropout" doc:"dropout after each layer" range:"[0 1)"`
	Epochs       int     `json:"epochs" yaml:"epochs" doc:"passes over the molecules" range:"1 1000000"`
	Steps        int     `json:"steps" yaml:"steps" doc:"steps in all" range:"1 1000000000" zero:"as --epochs"`
	Batch        int     `json:"batch" yaml:"batch" doc:"molecules of a step" range:"2 65536"`
	LearningRate float64 `json:"learning_rate" yaml:"learning-rate" doc:"learning rate of Adam" range:"(0 1]"`
	Seed         uint64  `json:"seed" yaml:"seed" doc:"seed of all random draws"`
	Device       string  `json:"device" yaml:"device" doc:"where it computes" form:"cpu, cuda or cuda:N"`

	// Settings are the settings of a training run with this encoder, in YAML. They
	// are stored in the encoder's file, like the settings of a run in its checkpoints.
	Settings string `json:"-" yaml:"-"`
}

// Default returns the options of Hu et al.
func Default() Options {
	return Options{Task: Masking, Encoder: "gin", Layers: 5, Width: 300, Epochs: 100, Batch: 256, LearningRate: 0.001, Device: "cpu", Order: BreadthFirst, Rare: 1}
}

// share returns the share of atoms to hide.
func (o Options) share(published float64) float64 {
	if o.Mask > 0 {
		return o.Mask
	}
	return published
}

// Validate returns an error for the first option that cannot be used, with the name of
// its flag.
func (o Options) Validate() error {
	var wrong *setting.Error
	if errors.As(setting.Check("", o), &wrong) {
		return &badinput.Error{What: fmt.Sprintf("--%s %s %s", wrong.Name, wrong.Value, wrong.Fault), Fix: wrong.Fix}
	}
	if o.Bonds && o.Task != Masking {
		return &badinput.Error{What: "--bonds goes with --task masking alone", Fix: "leave it out"}
	}
	if o.Mask > 0 && o.Task != Masking && o.Task != GraphMAE && o.Task != GraphLoG && !o.Levels {
		return &badinput.Error{What: "--mask goes with --task masking, graphmae, graphlog and mgssl --levels", Fix: "leave it out"}
	}
	if d := Default(); o.Task != MGSSL && (o.Order != d.Order || o.Rare != d.Rare || o.Levels) {
		return &badinput.Error{What: "--order, --rare and --levels go with --task mgssl alone", Fix: "leave them out"}
	}
	return nil
}

// differs returns an error for the first option that differs from those a run was begun with.
// A resumed run may be longer, and on another device.
func (o Options) differs(begun Options) error {
	return setting.FirstDifference(begun, o, "steps", "epochs", "device").Resumed("", "--%s %s")
}
