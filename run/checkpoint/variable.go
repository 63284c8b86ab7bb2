package checkpoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
)

// Variable is one tensor of a model or of its optimiser.
type Variable struct {
	Name  string
	Shape []int64
	Read  func() ([]float32, error)
	Write func([]float32) error

	published bool // see params.Parameter
}

// OptimiserPrefix starts the names of the optimiser's tensors.
const OptimiserPrefix = "adam."

// AveragePrefix starts the names of averages of weights over earlier steps. They are stored
// among the optimiser's tensors.
const AveragePrefix = OptimiserPrefix + "average."

// VariablesOf lists the parameters and running averages of a model.
func VariablesOf(m *model.Model) []Variable {
	return each.Of(slices.Concat(m.Parameters(), m.Buffers()), NewVariable)
}

// NewVariable returns the variable of a parameter.
func NewVariable(p model.Parameter) Variable {
	return Variable{
		Name: p.Name, Shape: p.Shape, published: p.Published,
		Read: func() ([]float32, error) { return ops.Read(p.Tensor) },
		Write: func(values []float32) error {
			if len(values) != p.Size() {
				return fmt.Errorf("%d values for shape %v", len(values), p.Shape)
			}
			return ops.Write(p.Tensor, values)
		},
	}
}

// Moments returns the variables of the moments of Adam for a parameter.
func Moments(p model.Parameter, first, second *ts.Tensor) []Variable {
	m, v := p, p
	m.Name, m.Tensor = OptimiserPrefix+"m."+p.Name, first
	v.Name, v.Tensor = OptimiserPrefix+"v."+p.Name, second
	return []Variable{NewVariable(m), NewVariable(v)}
}

// Tensors returns variables as the tensors of a file.
func Tensors(variables []Variable) []safetensors.Tensor {
	return each.Of(variables, func(v Variable) safetensors.Tensor {
		return safetensors.Tensor{Name: v.Name, Shape: v.Shape, Read: v.Read}
	})
}

// Copy writes the tensors of the file path to the variables of the same names. A value that is not finite is a
// *badinput.Error.
func Copy(path string, tensors map[string]safetensors.Tensor, variables []Variable) error {
	for _, v := range variables {
		t, ok := tensors[v.Name]
		if !ok {
			continue
		}
		values, err := t.Read()
		if err == nil {
			if bad := finite(path, v.Name, values); bad != nil {
				return bad
			}
			err = v.Write(values)
		}
		if err != nil {
			return fmt.Errorf("%s: restoring %s: %w", path, v.Name, err)
		}
	}
	return nil
}

// InMemory returns copies of variables with their present values.
func InMemory(variables []Variable) ([]Variable, error) {
	held := make([]Variable, len(variables))
	for i, v := range variables {
		values, err := v.Read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		held[i] = Variable{Name: v.Name, Shape: v.Shape, Read: func() ([]float32, error) { return values, nil }}
	}
	return held, nil
}

// ForPrediction returns the variables that prediction needs, of a run with settings c.
func ForPrediction(c runconfig.Config, variables []Variable) []Variable {
	return slices.DeleteFunc(slices.Clone(variables), func(v Variable) bool { return forTraining(c, v.Name) })
}

// Best returns the variables of a run that best.ckpt contains: those for prediction, with averages of
// weights in place of the weights, if there are any.
func Best(c runconfig.Config, variables []Variable) []Variable {
	return ForPrediction(c, averaged(variables, func(v *Variable) (*string, []int64) { return &v.Name, v.Shape }))
}

// averaged returns variables, or a file's tensors, with averages of weights in place of the weights.
// The function of returns the name and the shape of one.
func averaged[T any](all []T, of func(*T) (name *string, shape []int64)) []T {
	placed, at := slices.Clone(all), map[string]int{}
	for i := range all {
		name, _ := of(&all[i])
		at[*name] = i
	}
	for _, v := range all {
		name, shape := of(&v)
		plain, average := strings.CutPrefix(*name, AveragePrefix)
		i, there := at[plain]
		if !average || !there {
			continue
		}
		if _, wanted := of(&placed[i]); slices.Equal(shape, wanted) {
			*name = plain
			placed[i] = v
		}
	}
	return placed
}

// forTraining reports whether only training needs a tensor: one of the optimiser, or one that
// the method of c needs only in training.
func forTraining(c runconfig.Config, name string) bool {
	own := methods.Traits(c.Model.Method).TrainingOnly
	return strings.HasPrefix(name, OptimiserPrefix) || own != "" && strings.HasPrefix(name, own)
}
