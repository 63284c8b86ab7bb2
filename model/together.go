package model

import (
	"fmt"

	"pacia/fault"
	"pacia/gnn"
)

// checkTogether reports the first setting that another one does not allow.
func (c Config) checkTogether() error {
	if c.Encoder == "pna" && c.Width%gnn.PNATowers != 0 {
		return fmt.Errorf("model.width: %d cannot be cut into the %d towers of model.encoder=pna; write %d",
			c.Width, gnn.PNATowers, (c.Width/gnn.PNATowers+1)*gnn.PNATowers)
	}
	if c.Jump != "last" && adapts(c.Adapt.Encoder, "D") {
		return fmt.Errorf("model.jump: %s does not go with model.adapt.encoder=%s, whose mixture of layers is read out; write last, or model.adapt.encoder=none or N",
			c.Jump, c.Adapt.Encoder)
	}
	for _, f := range []struct {
		name  string
		width int
	}{{"width", c.Hyper.Width}, {"query", c.Hyper.Query}} {
		if f.width != 0 && c.Hyper.Layers == 1 {
			return fmt.Errorf("model.hyper.%s: %d is the width of hidden layers, and with model.hyper.layers=1 there are none; write 0", f.name, f.width)
		}
	}
	return nil
}

// CheckAtoms reports an encoder that cannot read the molecules there are, whose
// atoms have features as FS-Mol's, or else categories.
func (c Config) CheckAtoms(features bool) error {
	switch {
	case c.Encoder == "pna" && !features:
		return fault.Newf("model.encoder: pna reads the features of atoms, and these molecules come without; write gin, or the folder of files of FS-Mol's form as data.path")
	case c.Encoder != "pna" && features:
		return fault.Newf("model.encoder: %s reads the categories of MoleculeNet's atoms, and these have FS-Mol's features; write pna", c.Encoder)
	}
	return nil
}
