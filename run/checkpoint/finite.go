package checkpoint

import (
	"fmt"
	"math"
	"slices"

	"pacia/internal/badinput"
)

// finite reports the first value of a stored tensor that is NaN or infinite.
func finite(path, name string, values []float32) error {
	i := slices.IndexFunc(values, func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) })
	if i < 0 {
		return nil
	}
	return &badinput.Error{File: path, What: fmt.Sprintf("entry %d of %s is %v", i, name, values[i]),
		Fix: "use another file: a model with such a number predicts nothing"}
}
