package safetensors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"pacia/internal/atomicfile"
	"pacia/internal/each"
)

const (
	metadataKey = "__metadata__"
	checksumKey = "checksum"
)

// noChecksum replaces the checksum in the header while it is computed.
var noChecksum = strings.Repeat("0", 2*sha256.Size)

// Tensor is one named tensor of a file.
type Tensor struct {
	Name  string
	Shape []int64
	Type  Type                      // of the elements in the file
	Read  func() ([]float32, error) // returns the elements, row-major
	start int64                     // offset in the data of a file, in bytes
	data  []byte                    // of an array
}

// Len returns the number of elements, which is 1 for a scalar.
func (t Tensor) Len() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// size returns the size of the tensor in the file, in bytes.
func (t Tensor) size() int64 { return t.Type.size() * t.Len() }

// entry describes a tensor in the header. Offsets count from the end of the header.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes arrays, tensors and metadata to path, completely or not at all. Only one tensor
// is in memory at a time. Arrays come first, so that integers start at a multiple of their size if they precede bytes.
func Write(path string, metadata map[string]string, tensors []Tensor, arrays ...Array) error {
	tensors = slices.Concat(each.Of(arrays, Array.tensor), tensors)
	header, err := header(metadata, tensors)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(f *os.File) error {
		sum := sha256.New()
		if _, err := io.MultiWriter(f, sum).Write(header); err != nil {
			return err
		}
		for _, t := range tensors {
			if err := writeTensor(f, sum, t); err != nil {
				return err
			}
		}
		at := int64(bytes.Index(header, []byte(noChecksum)))
		_, err := f.WriteAt(fmt.Appendf(nil, "%x", sum.Sum(nil)), at)
		return err
	})
}

// header returns the length and the JSON, which is padded with spaces so that the data
// start at a multiple of 8 bytes.
func header(metadata map[string]string, tensors []Tensor) ([]byte, error) {
	about := maps.Clone(metadata)
	if about == nil {
		about = map[string]string{}
	}
	about[checksumKey] = noChecksum
	for key, value := range metadata {
		if strings.Contains(value, noChecksum) {
			return nil, fmt.Errorf("safetensors: metadata %q holds %d zeros in a row, which mark the checksum's place", key, len(noChecksum))
		}
	}
	fields := map[string]any{metadataKey: about}
	var offset int64
	for _, t := range tensors {
		if _, twice := fields[t.Name]; twice {
			return nil, fmt.Errorf("safetensors: two tensors are named %q", t.Name)
		}
		end := offset + t.size()
		// A nil shape would be written as null.
		fields[t.Name] = entry{t.Type.String(), append([]int64{}, t.Shape...), [2]int64{offset, end}}
		offset = end
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	if len(text)+8 > maxHeader || offset > MaxSize-maxHeader {
		return nil, fmt.Errorf("safetensors: %d bytes of tensors and %d of their descriptions exceed the limits for reading", offset, len(text))
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), nil
}

func writeTensor(f io.Writer, sum hash.Hash, t Tensor) error {
	if t.Type.ofArrays() {
		_, err := io.MultiWriter(f, sum).Write(t.data)
		return err
	}
	values, err := t.Read()
	if err != nil {
		return fmt.Errorf("safetensors: %s: %w", t.Name, err)
	}
	if int64(len(values)) != t.Len() {
		return fmt.Errorf("safetensors: %s: %d elements for shape %v", t.Name, len(values), t.Shape)
	}
	data, err := t.Type.encode(values)
	if err != nil {
		return fmt.Errorf("safetensors: %s: %w", t.Name, err)
	}
	_, err = io.MultiWriter(f, sum).Write(data)
	return err
}
