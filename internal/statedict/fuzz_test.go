package statedict

import (
	"archive/zip"
	"bytes"
	"testing"

	"pacia/harness/bounded"
)

// FuzzParse checks that reading any file neither panics nor allocates more than the file's
// size allows.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"zip.pth", "legacy.pth", "protocol4.pth"} {
		f.Add(content(f, name))
	}
	f.Add(put(view("K\x01", "K\x03\x85", "K\x01\x85")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var tensors []Tensor
		var err error
		bounded.Do(t, func() { tensors, err = Parse(data) })
		if err != nil {
			return
		}
		total := 0
		for _, x := range tensors {
			n := int64(1)
			for _, s := range x.Shape {
				n *= s
			}
			if n != int64(len(x.Values)) {
				t.Errorf("%q has %d values for shape %v", x.Name, len(x.Values), x.Shape)
			}
			total += 4 * len(x.Values)
		}
		if total > maxGrowth*len(data) {
			t.Errorf("%d bytes of tensors from a file of %d", total, len(data))
		}
	})
}

// FuzzPickle checks any pickle in an archive. Mutations of a whole archive hardly ever have
// its right checksum.
func FuzzPickle(f *testing.F) {
	z, err := zip.NewReader(bytes.NewReader(content(f, "zip.pth")), int64(len(content(f, "zip.pth"))))
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range z.File {
		if len(e.Name) > 4 && e.Name[len(e.Name)-4:] == ".pkl" {
			r, err := e.Open()
			if err != nil {
				f.Fatal(err)
			}
			var pickle bytes.Buffer
			if _, err := pickle.ReadFrom(r); err != nil {
				f.Fatal(err)
			}
			f.Add(pickle.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, pickle []byte) {
		bounded.Do(t, func() {
			m := &machine{data: pickle}
			_, _ = m.run() // it must end, with or without an error
		})
	})
}
