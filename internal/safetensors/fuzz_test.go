package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"pacia/harness/bounded"
)

// FuzzParse checks that reading a file with any header neither panics nor allocates more than
// the file's size allows. Checksums are left out: no mutation would pass them.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"__metadata__":{"version":"1"},"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}`), []byte("12345678"))
	f.Add([]byte(`{"__metadata__":{},"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]},"b":{"dtype":"F32","shape":[0],"data_offsets":[2,2]}}`), []byte("12"))
	f.Add([]byte(`{"__metadata__":{},"w":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`), []byte{})
	f.Fuzz(func(t *testing.T, header, data []byte) {
		bounded.Do(t, func() {
			raw := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
			whole := append(bytes.Clone(raw), data...)
			file := &File{from: bytes.NewReader(whole)}
			again, err := readHeader(file.from, int64(len(whole)))
			if err == nil && !bytes.Equal(again, raw) {
				t.Errorf("the header is read as %q", again)
			}
			if err := file.parse(raw, int64(len(data))); err != nil {
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("%v, want ErrDamaged", err)
				}
				return
			}
			for _, x := range file.Tensors {
				values, err := x.Read()
				if err != nil || int64(len(values)) != x.Len() {
					t.Errorf("%q: %d values of %v (%v)", x.Name, len(values), x.Shape, err)
				}
			}
		})
	})
}

// FuzzRead checks the same for a whole file.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Fuzz(func(t *testing.T, content []byte) {
		bounded.Do(t, func() {
			if file, err := Read(bytes.NewReader(content), int64(len(content))); err == nil && file.Metadata == nil {
				t.Error("a file without metadata is accepted")
			}
		})
	})
}
