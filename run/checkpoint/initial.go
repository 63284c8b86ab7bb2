package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/internal/setting"
	"pacia/model"
)

// Initialise copies all weights of another run (train.init) to m, from a checkpoint or from a
// model that Export wrote. The latter lacks the parameters that only training needs, which keep
// their initial values. Parameters with published values also keep these if the file has none of
// them: model.encoder=minimol-trained continues from a run with minimol. Labels of training tasks,
// which a method keeps, are those of the new run, and the optimiser starts anew. If names or
// shapes differ, Initialise returns a *badinput.Error that lists them, and m is unchanged.
func Initialise(path string, m *model.Model) error {
	c, err := Open(path)
	if errors.Is(err, safetensors.ErrDamaged) {
		err = &badinput.Error{File: path, What: "train.init", Err: errors.Unwrap(err), Fix: "name a checkpoint, or a model of pacia export"}
	}
	if err != nil {
		return err
	}
	defer c.Close()
	stored, variables := c.weights(), VariablesOf(m)
	if !slices.ContainsFunc(c.file.Tensors, func(t safetensors.Tensor) bool { return teaching(m, t.Name) }) {
		variables = slices.DeleteFunc(variables, func(v Variable) bool { return teaching(m, v.Name) })
	}
	published := func(v Variable) bool { return v.published }
	if !slices.ContainsFunc(variables, func(v Variable) bool { _, there := stored[v.Name]; return there && published(v) }) {
		variables = slices.DeleteFunc(variables, published)
	}
	if differ := differences(stored, variables); differ != "" {
		return &badinput.Error{File: path, What: "the weights do not fit train.init: " + differ, Fix: c.asItWas(m)}
	}
	for _, v := range variables {
		values, err := stored[v.Name].Read()
		if err == nil {
			err = finite(path, v.Name, values)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path, v.Name, err)
		}
		if err := v.Write(values); err != nil {
			return fmt.Errorf("%s: %s: %w", path, v.Name, err)
		}
	}
	m.KeepDescriptors()
	return nil
}

// weights returns the file's tensors by their names, except those of the optimiser and those
// that a method keeps of the training tasks.
func (c *File) weights() map[string]safetensors.Tensor {
	stored := map[string]safetensors.Tensor{}
	for _, t := range c.averaged() {
		if !strings.HasPrefix(t.Name, OptimiserPrefix) && !strings.HasPrefix(t.Name, model.MemoryPrefix) {
			stored[t.Name] = t
		}
	}
	return stored
}

// teaching reports whether m needs a tensor for training alone.
func teaching(m *model.Model, name string) bool {
	own := m.Traits().TrainingOnly
	return own != "" && strings.HasPrefix(name, own)
}

// differences lists the variables that stored lacks or has in other shapes, and the tensors
// that would be left over. It returns "" if there are none.
func differences(stored map[string]safetensors.Tensor, variables []Variable) string {
	var missing, left, reasons []string
	shapes := 0
	wanted := map[string]bool{}
	for _, v := range variables {
		wanted[v.Name] = true
		t, there := stored[v.Name]
		switch {
		case !there:
			missing = append(missing, v.Name)
		case !slices.Equal(t.Shape, v.Shape):
			if shapes++; shapes == 1 {
				reasons = append(reasons, fmt.Sprintf("its %s has shape %v, the model's %v", badinput.Quote(v.Name), t.Shape, v.Shape))
			}
		}
	}
	if shapes > 1 {
		reasons[0] += fmt.Sprintf(" (and %d more)", shapes-1)
	}
	for name := range stored {
		if !wanted[name] {
			left = append(left, badinput.Quote(name))
		}
	}
	if missing != nil {
		reasons = append(reasons, "it lacks "+firstNames(missing))
	}
	if left != nil {
		slices.Sort(left)
		reasons = append(reasons, firstNames(left)+" would be left over")
	}
	return strings.Join(reasons, "; ")
}

// asItWas returns advice on the settings with which m has the same structure as the file's model.
func (c *File) asItWas(m *model.Model) string {
	now := each.Pairs(setting.List("model.", m.Config()), func(s setting.Setting) (string, string) { return s.Name, s.Value })
	var write []string
	for _, s := range setting.List("model.", c.Config.Model) {
		if value, there := now[s.Name]; (!there || value != s.Value) && s.Name != "model.pretrained" && s.Value != "" {
			write = append(write, s.Name+"="+s.Value)
		}
	}
	if write == nil {
		return "start from its model as pacia export writes it, without the classifiers of its training tasks"
	}
	if len(write) == 1 {
		return "write " + write[0] + ", as that run had it"
	}
	return "write " + firstNames(write) + ", as that run had them"
}
