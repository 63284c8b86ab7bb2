package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/internal/safetensors"
	"pacia/internal/statedict"
	"pacia/model"
)

// StartFrom copies an encoder to m (model.pretrained), from a checkpoint, from a
// model that Export wrote, or from a state dict of PyTorch with the names of
// Hu et al. (2020). All members of an ensemble start from it: learning makes them differ,
// by their classifiers and dropout. A readout of the same form is copied as well. The rest of m keeps its initial values.
func StartFrom(path string, m *model.Model) error {
	_, err := pretrain(path, m)
	return err
}

// StartEncoder copies an encoder like StartFrom, to the variables of an encoder
// (pacia pretrain --start).
func StartEncoder(path string, encoder []Variable) error {
	_, err := start(path, encoder, nil, origin{"--start", "write --encoder %s, --layers %d and --width %d"})
	return err
}

// origin is the setting that names a file, and a format of the advice to set kind, layers
// and width of the encoder.
type origin struct{ setting, fix string }

// pretrain is StartFrom. It also returns the names of tensors of a state dict that do
// not belong to an encoder, such as the layers of its training task.
func pretrain(path string, m *model.Model) (leftOver []string, err error) {
	return start(path, ofBody(VariablesOf(m), model.EncoderPrefix), ofBody(VariablesOf(m), model.ReadoutPrefix), origin{"model.pretrained", "write model.encoder=%s, model.layers=%d and model.width=%d"})
}

// ofBody returns the variables of an encoder or a readout, in all members.
func ofBody(all []Variable, prefix string) []Variable {
	return each.If(all, func(v Variable) bool { return strings.HasPrefix(model.OfMember(v.Name), prefix) })
}

func start(path string, encoder, readout []Variable, by origin) (leftOver []string, err error) {
	e, err := openEncoder(path, by)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	body := encoder
	if e.has(readout) {
		body = slices.Concat(encoder, readout)
	}
	if err := e.fits(body); err != nil {
		return nil, err
	}
	for _, v := range body {
		t := e.tensors[model.OfMember(v.Name)]
		values, err := t.read()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, t.name, err)
		}
		if err := finite(path, t.name, values); err != nil {
			return nil, err
		}
		if err := v.Write(values); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, t.name, err)
		}
	}
	return e.leftOver, nil
}

// encoderFile is an encoder in a file.
type encoderFile struct {
	io.Closer
	by       origin
	path     string
	tensors  map[string]storedTensor // by their names in pacia
	leftOver []string
}

type storedTensor struct {
	name  string // in the file
	shape []int64
	read  func() ([]float32, error)
}

// openEncoder opens a state dict or a checkpoint, depending on the first bytes of the file.
func openEncoder(path string, by origin) (*encoderFile, error) {
	start := make([]byte, 4)
	f, err := input.Open(context.Background(), path, input.Regular, 0)
	if err == nil {
		_, err = io.ReadFull(f, start)
		err = errors.Join(err, f.Close())
	}
	if err == nil && statedict.Is(start) {
		return openStateDict(path, by)
	}
	c, err := Open(path)
	if errors.Is(err, safetensors.ErrDamaged) {
		if foreign, err := safetensors.OpenForeign(path); err == nil {
			return encoderIn(path, by, foreign, each.Of(foreign.Tensors, stored))
		}
		err = &badinput.Error{File: path, What: by.setting, Err: errors.Unwrap(err), Fix: "name a checkpoint, a model of pacia export or a state dict of PyTorch"}
	}
	var fault *badinput.Error
	if errors.Is(err, fs.ErrNotExist) && errors.As(err, &fault) {
		fault.Fix = "check " + by.setting // a preset may name the file
	}
	if err != nil {
		return nil, err
	}
	e := &encoderFile{Closer: c, by: by, path: path, tensors: map[string]storedTensor{}}
	for _, t := range c.file.Tensors {
		if strings.HasPrefix(t.Name, model.EncoderPrefix) || strings.HasPrefix(t.Name, model.ReadoutPrefix) {
			e.tensors[t.Name] = stored(t)
		}
	}
	return e, nil
}

func stored(t safetensors.Tensor) storedTensor { return storedTensor{t.Name, t.Shape, t.Read} }

// fits compares names and shapes with those of the model's encoder.
func (e *encoderFile) fits(encoder []Variable) error {
	var missing []string
	wanted := map[string]bool{}
	for _, v := range encoder {
		name := model.OfMember(v.Name)
		wanted[name] = true
		t, there := e.tensors[name]
		if !there {
			if name == v.Name {
				missing = append(missing, name)
			}
		} else if !slices.Equal(t.shape, v.Shape) {
			return e.misfit(fmt.Sprintf("its %s has shape %v, the model's %v", t.name, t.shape, v.Shape))
		}
	}
	var left []string
	for own, t := range e.tensors {
		if !wanted[own] && !strings.HasPrefix(own, model.ReadoutPrefix) {
			left = append(left, t.name)
		}
	}
	slices.Sort(left)
	switch {
	case missing != nil && left != nil:
		return e.misfit("it lacks " + firstNames(missing) + ", and " + firstNames(left) + " would be left over")
	case missing != nil:
		return e.misfit("it lacks " + firstNames(missing))
	case left != nil:
		return e.misfit(firstNames(left) + " would be left over")
	}
	return nil
}

// has reports whether the file has a readout of the same form.
func (e *encoderFile) has(readout []Variable) bool {
	return !slices.ContainsFunc(readout, func(v Variable) bool {
		_, there := e.tensors[model.OfMember(v.Name)]
		return !there
	})
}

// firstNames shows the first names of a list.
func firstNames(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func (e *encoderFile) misfit(what string) error {
	return &badinput.Error{File: e.path, What: "the encoder does not fit " + e.by.setting + ": " + what, Fix: e.settings()}
}

// settings returns advice on the settings for the encoder in the file.
func (e *encoderFile) settings() string {
	atom, there := e.tensors[model.EncoderPrefix+"atom"]
	if !there || len(atom.shape) != 2 {
		return "name a file that holds an encoder of pacia, or of Hu et al. (2020)"
	}
	layers := 0
	for {
		if _, there := e.tensors[fmt.Sprintf("%s%d.norm.weight", model.EncoderPrefix, layers)]; !there {
			break
		}
		layers++
	}
	kind := strings.Join(encoders.Names(func(s gnn.Spec) bool { return s.LocalName != nil && s.Mark == "" }), " or ")
	for _, s := range encoders.All {
		if _, there := e.tensors[model.EncoderPrefix+"0."+s.Mark]; there {
			kind = s.Name
		}
	}
	return fmt.Sprintf(e.by.fix, kind, layers, atom.shape[1])
}
