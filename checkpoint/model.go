package checkpoint

import (
	"strings"

	"pacia/model"
	"pacia/model/methods"
)

// memory is the shapes of what a method kept of the training tasks.
func (c *File) memory() map[string][]int64 {
	shapes := map[string][]int64{}
	for _, t := range c.file.Tensors {
		if strings.HasPrefix(t.Name, model.MemoryPrefix) {
			shapes[t.Name] = t.Shape
		}
	}
	return shapes
}

// Model makes the checkpoint's model on a device, for evaluation and prediction.
// It must be called from within ops.Pinned; the caller drops the model. Tensors
// that do not fit are a *fault.Error.
func (c *File) Model(device string) (*model.Model, error) {
	cfg := c.Config.Model
	cfg.Pretrained = "" // its weights are in the checkpoint, as trained since
	m, err := methods.New(cfg, model.Options{Seed: c.Config.Seed, Device: device})
	if err != nil {
		return nil, err
	}
	if err = m.Room(c.memory()); err == nil {
		err = c.Restore(VariablesOf(m))
	}
	if err != nil {
		m.Drop()
		return nil, err
	}
	m.Tune(c.Config.Train.FineTune)
	return m, nil
}
