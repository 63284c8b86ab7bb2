package train

import (
	"testing"
)

// tinyConfig is assaysConfig with a model that trains in no time.
func tinyConfig(t *testing.T) RunConfig {
	t.Helper()
	c := assaysConfig(t)
	c.Model.Width, c.Model.Layers = 16, 2
	c.Model.Relation.Width, c.Model.Relation.Layers = 16, 2
	return c
}
