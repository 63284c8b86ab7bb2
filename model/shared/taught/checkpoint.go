package taught

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"strconv"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/safetensors"
	"pacia/ops"
)

// Names of the strings in a checkpoint's metadata.
const (
	hashKey  = "examples"
	stepsKey = "steps"
)

// hash returns the SHA-256 of examples, in hexadecimal.
func (e Examples) hash() string {
	sum := sha256.New()
	var b []byte
	for i, labels := range e.Labels {
		b = binary.LittleEndian.AppendUint32(b[:0], uint32(len(labels)))
		for _, l := range labels {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(l.Assay)), l.Rank)
		}
		for _, v := range e.Vectors[i*e.Width : (i+1)*e.Width] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// state returns parameters and moments by their names.
func (t *teaching) state() (names []string, tensors []*ts.Tensor) {
	first, second := t.adam.State()
	for i, p := range t.set.Trained() {
		names = append(names, p.Name, p.Name+".first", p.Name+".second")
		tensors = append(tensors, p.Tensor, first[i], second[i])
	}
	return names, tensors
}

// save replaces the checkpoint.
func (t *teaching) save(checkpoint string) error {
	names, tensors := t.state()
	var all []safetensors.Tensor
	for i, v := range tensors {
		shape, err := v.Size()
		if err != nil {
			return err
		}
		all = append(all, safetensors.Tensor{Name: names[i], Shape: shape, Read: func() ([]float32, error) { return ops.Read(v) }})
	}
	return safetensors.Write(checkpoint, map[string]string{hashKey: t.hash, stepsKey: strconv.FormatInt(t.adam.Steps(), 10)}, all)
}

// resume continues from a checkpoint of the same examples, if there is one. Another file is not used, and will be replaced.
func (t *teaching) resume(checkpoint string) error {
	if checkpoint == "" {
		return nil
	}
	f, err := safetensors.Open(checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	steps, failed := strconv.ParseInt(f.Metadata[stepsKey], 10, 64)
	if f.Metadata[hashKey] != t.hash || failed != nil {
		return f.Close()
	}
	stored := map[string]safetensors.Tensor{}
	for _, v := range f.Tensors {
		stored[v.Name] = v
	}
	names, tensors := t.state()
	for i, v := range tensors {
		values, err := stored[names[i]].Read()
		if err == nil {
			err = ops.Write(v, values)
		}
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(t.adam.SetSteps(steps), f.Close())
}
