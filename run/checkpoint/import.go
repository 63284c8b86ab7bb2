package checkpoint

import (
	"errors"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/ops"
)

// Import writes the model in a file that another program has changed, with the checksum that Open requires. The file is one
// that Export or Save wrote: its metadata describe the model, whose names and shapes its tensors must have. A file that is
// not, or that has a value that is not finite, is a *badinput.Error.
func Import(changed, path string, o ExportOptions) (Exported, error) {
	c, err := openChanged(changed)
	if err != nil {
		return Exported{}, err
	}
	defer c.Close()
	c.fix = "write all tensors of the model that pacia export wrote, with their names and shapes"
	err = ops.Pinned(1, func() error {
		m, err := c.Model("cpu")
		if err == nil {
			m.Drop()
		}
		return err
	})
	if err != nil {
		return Exported{}, err
	}
	return c.Export(path, o)
}

func openChanged(path string) (*File, error) {
	file, err := safetensors.OpenChanged(path)
	switch {
	case errors.Is(err, safetensors.ErrDamaged):
		return nil, &badinput.Error{File: path, Err: err, Fix: "write it with a library of the format safetensors"}
	case err != nil:
		return nil, err
	case file.Metadata["config"] == "" || file.Metadata["run"] == "":
		return nil, errors.Join(&badinput.Error{File: path, What: "its metadata do not describe a model",
			Fix: "write the metadata of the file that pacia export wrote with its tensors"}, file.Close())
	}
	return opened(path, file)
}
