package statedict

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// maxSize is the largest size of a file in bytes. Encoders of molecules have some millions.
const maxSize = 1 << 31

// maxGrowth limits the size of the tensors, as a multiple of the file's size.
const maxGrowth = 200

// Tensor is one named tensor.
type Tensor struct {
	Name   string
	Shape  []int64
	Values []float32 // row-major, converted from the type in the file
}

// saveAgain is the advice for most files that cannot be read.
const saveAgain = "save it again in Python: torch.save(model.state_dict(), FILE)"

// Is reports whether the first bytes of a file are those of a state dict.
func Is(start []byte) bool {
	return bytes.HasPrefix(start, zipMagic) || bytes.HasPrefix(start, pickleMagic)
}

// Read reads a file. A file that cannot be used is a *badinput.Error.
func Read(path string) ([]Tensor, error) {
	data, err := input.ReadAll(context.Background(), path, input.Regular, maxSize)
	if err != nil {
		return nil, err
	}
	tensors, err := Parse(data)
	if err == nil {
		return tensors, nil
	}
	fix := saveAgain
	if errors.Is(err, errShort) {
		fix = "the file is cut short or damaged: copy it or download it again"
	}
	return nil, &badinput.Error{File: path, What: "not a state dict that can be read", Err: err, Fix: fix}
}

// errShort reports that a file ends too early.
var errShort = errors.New("it ends too early")

// Parse reads the content of a file.
func Parse(data []byte) ([]Tensor, error) {
	var top any
	var read storages
	var err error
	switch {
	case bytes.HasPrefix(data, zipMagic):
		top, read, err = openZip(data)
	case bytes.HasPrefix(data, pickleMagic):
		top, read, err = openLegacy(data)
	default:
		return nil, errors.New("it does not start like a file of torch.save")
	}
	if err != nil {
		return nil, err
	}
	names, err := tensorsIn(top)
	if err != nil {
		return nil, err
	}
	room := maxGrowth * int64(len(data))
	var tensors []Tensor
	for _, name := range names.keys {
		t, ok := names.values[name].(*tensor)
		if !ok {
			return nil, fmt.Errorf("%q is %s in place of a tensor", name, describe(names.values[name]))
		}
		if room -= 4 * t.elements(); room < 0 {
			return nil, fmt.Errorf("%q makes the tensors more than %d times as large as the file", name, maxGrowth)
		}
		values, err := t.read(read)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		tensors = append(tensors, Tensor{name, t.shape, values})
	}
	return tensors, nil
}

// tensorsIn returns the dictionary of tensors: the whole, or the only one in it, as "model_state_dict" of PyTorch's tutorial
// and "state_dict" of Lightning.
func tensorsIn(top any) (*dict, error) {
	whole, ok := top.(*dict)
	if !ok {
		return nil, fmt.Errorf("it holds %s in place of a dictionary of tensors", describe(top))
	}
	var keys []string
	for _, key := range whole.keys {
		if whole.values[key] != any(whole) && ofTensors(whole.values[key]) {
			keys = append(keys, key)
		}
	}
	switch {
	case len(keys) == 1 && !slices.ContainsFunc(whole.keys, func(key string) bool { _, is := whole.values[key].(*tensor); return is }):
		return whole.values[keys[0]].(*dict), nil
	case len(keys) > 1:
		return nil, fmt.Errorf("it holds several dictionaries of tensors: %s", badinput.List(keys))
	}
	return whole, whole.odd
}

// ofTensors reports whether a value is a dictionary of tensors alone.
func ofTensors(v any) bool {
	d, is := v.(*dict)
	if !is || d.odd != nil {
		return false
	}
	for _, value := range d.values {
		if _, is := value.(*tensor); !is {
			return false
		}
	}
	return len(d.values) > 0
}
