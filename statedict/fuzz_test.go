package statedict

import "testing"

// FuzzParse: whatever a file holds, reading it neither panics nor makes more
// than the file's size allows.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"zip.pth", "legacy.pth", "protocol4.pth"} {
		f.Add(content(f, name))
	}
	f.Add(put(view("K\x01", "K\x03\x85", "K\x01\x85")))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := parse(data)
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
