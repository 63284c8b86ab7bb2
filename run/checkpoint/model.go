package checkpoint

import (
	"errors"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/model"
	"pacia/model/methods"
	"pacia/model/shared/past"
)

// memory returns the shapes of the buffers that a method keeps of the training
// tasks.
func (c *File) memory() map[string][]int64 {
	shapes := map[string][]int64{}
	for _, t := range c.file.Tensors {
		if strings.HasPrefix(t.Name, model.MemoryPrefix) {
			shapes[t.Name] = t.Shape
		}
	}
	return shapes
}

// Past returns the past assays that the file holds, or nil. They are valid until the file is closed.
func (c *File) Past() (*past.Memory, error) {
	m, err := past.Read(c.file)
	if errors.Is(err, past.ErrDamaged) {
		return nil, &badinput.Error{File: c.Path, Err: err, Fix: "write it again, by pacia remember"}
	}
	return m, err
}

// averaged returns the file's tensors, with averages of weights in place of the weights.
func (c *File) averaged() []safetensors.Tensor {
	return averaged(c.file.Tensors, func(t *safetensors.Tensor) (*string, []int64) { return &t.Name, t.Shape })
}

// fits returns a function that compares the parameters of a model with the file's
// tensors, like Restore, but before memory is allocated for them. The settings
// of a forged file may describe a model that is larger than the memory.
func (c *File) fits() func(name string, shape []int64) error {
	stored := map[string][]int64{}
	for _, t := range c.file.Tensors {
		stored[t.Name] = t.Shape
	}
	return func(name string, shape []int64) error {
		found, ok := stored[name]
		switch {
		case !ok:
			return c.misfit("it lacks %s", name)
		case !slices.Equal(found, shape):
			return c.misfit("its %s has shape %v, the model's %v", name, found, shape)
		}
		return nil
	}
}

// Model makes the checkpoint's model on a device, for evaluation and prediction.
// It must be called from within ops.Pinned; the caller drops the model. Tensors
// that do not fit are a *badinput.Error.
func (c *File) Model(device string) (*model.Model, error) {
	// Its encoder is the trained one, even if model.pretrained names another: that setting only
	// determines which parameters a method freezes.
	m, err := methods.New(c.Config.Model, model.Options{Seed: c.Config.Seed, Device: device, Fits: c.fits()})
	if err != nil {
		return nil, err
	}
	if err = m.Room(c.memory()); err == nil {
		err = c.restore(c.averaged(), VariablesOf(m))
	}
	held, failed := c.Past()
	if err = errors.Join(err, failed); err != nil {
		m.Drop()
		return nil, err
	}
	m.Hold(held)
	m.Tune(c.Config.Train.FineTune)
	return m, nil
}
