package train

import (
	"fmt"
	"slices"
	"strings"

	"pacia/fault"
	"pacia/model"
	"pacia/train/safetensors"
)

// encoderPrefix starts the names of the molecular encoder's tensors.
const encoderPrefix = "encoder."

// startFrom copies the encoder of another run's checkpoint into m
// (model.pretrained). The rest of m keeps its own first values.
func startFrom(path string, m *model.Model) error {
	c, err := open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	stored := map[string]safetensors.Tensor{}
	for _, t := range c.file.Tensors {
		stored[t.Name] = t
	}
	encoder := slices.DeleteFunc(modelState(m), func(v variable) bool { return !strings.HasPrefix(v.Name, encoderPrefix) })
	for _, v := range encoder {
		if t := stored[v.Name]; !slices.Equal(t.Shape, v.Shape) {
			return &fault.Error{File: path,
				What: fmt.Sprintf("the encoder of the checkpoint does not fit model.pretrained: its %s has shape %v, the model's %v", v.Name, t.Shape, v.Shape),
				Fix:  "set model.encoder, model.layers and model.width as they were in its run"}
		}
	}
	for _, v := range encoder {
		values, err := stored[v.Name].Read()
		if err == nil {
			err = v.Write(values)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path, v.Name, err)
		}
	}
	return nil
}
