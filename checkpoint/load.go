package checkpoint

import (
	"pacia/model"
	"pacia/model/methods"
)

// Load reads the model of a checkpoint onto a device, for evaluation and
// prediction. It must be called from within ops.Pinned; the caller drops the
// model. A checkpoint that cannot be used is a *fault.Error.
func Load(path, device string) (*model.Model, Meta, error) {
	c, err := Open(path)
	if err != nil {
		return nil, Meta{}, err
	}
	defer c.Close()
	cfg := c.Config.Model
	cfg.Pretrained = "" // its weights are in the checkpoint, as trained since
	m, err := methods.New(cfg, model.Options{Seed: c.Config.Seed, Device: device})
	if err != nil {
		return nil, Meta{}, err
	}
	if err := c.Restore(VariablesOf(m)); err != nil {
		m.Drop()
		return nil, Meta{}, err
	}
	m.Tune(c.Config.Train.FineTune)
	return m, c.Meta, nil
}
