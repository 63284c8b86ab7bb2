package methods

import (
	"pacia/model"
	"pacia/model/proto"
)

// Teacher returns the settings of the model that teaches the encoder and the readout of c the labels of all training
// tasks at once, and compares molecules by the angles to class means.
func Teacher(c model.Config) model.Config {
	c.Method, c.Own = proto.Spec.Name, proto.Settings{Metric: "cosine", Single: "zero", Teaching: "tasks"}
	return c
}
