package checkpoint

import (
	"io"
	"slices"
	"strings"

	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/statedict"
	"pacia/model"
)

func openStateDict(path string, by origin) (*encoderFile, error) {
	tensors, err := statedict.Read(path)
	if err != nil {
		return nil, err
	}
	return encoderIn(path, by, io.NopCloser(nil), each.Of(tensors, func(t statedict.Tensor) storedTensor {
		return storedTensor{t.Name, t.Shape, func() ([]float32, error) { return t.Values, nil }}
	}))
}

// encoderIn returns the encoder among tensors with published names, perhaps behind a prefix: that of the encoder
// in a model, or of a wrapper such as DataParallel (module.) or torch.compile (_orig_mod.).
func encoderIn(path string, by origin, file io.Closer, tensors []storedTensor) (*encoderFile, error) {
	prefixes := prefixesOf(tensors)
	if len(prefixes) > 1 {
		_ = file.Close() // read only
		return nil, &badinput.Error{File: path, What: "it holds several encoders, with names that begin with " + badinput.List(prefixes),
			Fix: "save the state dict of one of them"}
	}
	e := &encoderFile{Closer: file, by: by, path: path, tensors: map[string]storedTensor{}}
	prefix := strings.Join(prefixes, "") // at most one
	for _, t := range tensors {
		name, own := t.name, ""
		if rest, is := strings.CutPrefix(name, prefix); is {
			name, own = rest, encoders.LocalName(rest)
		}
		switch {
		case own == "" && !gnn.Counts(name):
			e.leftOver = append(e.leftOver, t.name)
		case own != "":
			// GAT's scores have a first dimension of 1.
			if len(t.shape) == 3 && t.shape[0] == 1 {
				t.shape = t.shape[1:]
			}
			e.tensors[own] = t
		}
	}
	return e, nil
}

// prefixesOf returns what stands before the published names of the encoders' first tensors, "" if nothing does.
func prefixesOf(tensors []storedTensor) (prefixes []string) {
	for _, t := range tensors {
		last := -1
		for at := range t.name {
			if (at == 0 || t.name[at-1] == '.') && encoders.LocalName(t.name[at:]) == model.EncoderPrefix+"atom" {
				last = at
			}
		}
		if last >= 0 {
			prefixes = append(prefixes, t.name[:last])
		}
	}
	slices.Sort(prefixes)
	return slices.Compact(prefixes)
}
