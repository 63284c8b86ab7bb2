package checkpoint

import (
	"encoding/json"
	"fmt"
	"slices"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/model/shared/past"
)

// Exported describes the file that Export wrote.
type Exported struct {
	Meta
	Tensors    int
	Parameters int64 // numbers in the tensors, including running averages of batch norms
	LeftOut    int   // tensors of the optimiser, and those that the method needs only in training
}

// ExportOptions controls how a model is written.
type ExportOptions struct {
	Half    bool         // matrices as float16, which halves the file; vectors and scalars stay float32
	Program string       // version of the program that exports, for the metadata
	Edit    func(*Meta)  // changes the metadata to write; nil: no change
	Past    *past.Memory // past assays that the file holds; nil: none
	Memory  []Variable   // written in place of the file's buffers of these names and shapes
}

// Export writes the model of a checkpoint to a safetensors file: all tensors that
// prediction needs, with the checkpoint's names, and no tensors of the optimiser. The
// metadata are those of a checkpoint ("version", "config" in YAML, "run" in JSON)
// and "program", so that readers of checkpoints also read the file. A run cannot be
// resumed from it. A checkpoint that cannot be used is a *badinput.Error.
func Export(checkpoint, path string, o ExportOptions) (Exported, error) {
	c, err := Open(checkpoint)
	if err != nil {
		return Exported{}, err
	}
	defer c.Close()
	return c.Export(path, o)
}

// Export is like the function. With past assays, path may be that of the checkpoint itself.
func (c *File) Export(path string, o ExportOptions) (Exported, error) {
	if o.Past == nil && atomicfile.Same(c.Path, path) {
		return Exported{}, &badinput.Error{File: path, What: "the model would replace its checkpoint", Fix: "write another --out"}
	}
	e := Exported{Meta: c.Meta}
	var tensors []safetensors.Tensor
	for _, t := range c.averaged() {
		if forTraining(c.Config, t.Name) {
			e.LeftOut++
			continue
		}
		if o.Half && len(t.Shape) >= 2 {
			t.Type = safetensors.F16
		}
		for _, v := range o.Memory {
			if v.Name == t.Name && slices.Equal(v.Shape, t.Shape) {
				t.Read = v.Read
			}
		}
		t.Read = c.checked(t)
		tensors = append(tensors, t)
		e.Parameters += t.Len()
	}
	e.Tensors = len(tensors)
	about := c.file.Metadata
	about["format"] = "pacia model"
	place := e.Config.Data.AbsolutePath
	if e.Config.Data.AbsolutePath = ""; o.Edit != nil { // a path on this machine
		o.Edit(&e.Meta)
	}
	if o.Edit != nil || place != "" {
		config, err := e.Config.Encode()
		if err != nil {
			return Exported{}, fmt.Errorf("export: %w", err)
		}
		run, err := json.Marshal(e.Meta)
		if err != nil {
			return Exported{}, fmt.Errorf("export: %w", err)
		}
		about["config"], about["run"] = string(config), string(run)
	}
	if o.Program != "" {
		about["program"] = o.Program
	}
	arrays, err := o.past(about)
	if err == nil {
		err = safetensors.Write(path, about, tensors, arrays...)
	}
	if err != nil {
		return Exported{}, fmt.Errorf("export: %w", err)
	}
	return e, nil
}

// past returns the arrays of past assays, and describes them in the metadata. Those of the checkpoint itself are left out.
func (o *ExportOptions) past(about map[string]string) (arrays []safetensors.Array, err error) {
	delete(about, past.Metadata)
	if o.Past != nil && len(o.Past.Assays) > 0 {
		about[past.Metadata], arrays, err = o.Past.Arrays()
	}
	return arrays, err
}

// checked returns a reader of the tensor that fails unless all its values are finite.
func (c *File) checked(t safetensors.Tensor) func() ([]float32, error) {
	return func() ([]float32, error) {
		values, err := t.Read()
		if err == nil {
			err = finite(c.Path, t.Name, values)
		}
		return values, err
	}
}
