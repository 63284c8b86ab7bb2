package npz

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestFormat compares an array with the bytes that NumPy 1.26 writes for
// numpy.array([[1, -2, 3], [4, 5, 70000]], dtype="int32").
func TestFormat(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	Add(w, "a", []int32{1, -2, 3, 4, 5, 70000}, 2, 3)
	Add(w, "b.c", []uint8{7, 255})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	dict := "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3, ), }"
	want := "\x93NUMPY\x01\x00\x76\x00" + dict + strings.Repeat(" ", 117-len(dict)) + "\n" +
		"\x01\x00\x00\x00\xfe\xff\xff\xff\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00\x70\x11\x01\x00"
	if got := file(t, r, "a.npy"); got != want {
		t.Errorf("a.npy is\n%q\nwant\n%q", got, want)
	}
	if got := file(t, r, "b.c.npy"); !strings.Contains(got, "'|u1'") || !strings.Contains(got, "(2, )") || !strings.HasSuffix(got, "\n\x07\xff") {
		t.Errorf("b.c.npy is %q", got)
	}
}

func file(t *testing.T, r *zip.Reader, name string) string {
	t.Helper()
	f, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestShapeMustFit(t *testing.T) {
	w := NewWriter(io.Discard)
	Add(w, "first", []uint8{1, 2, 3}, 2, 2)
	Add(w, "second", []uint8{1})
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "array first has 3 values, its shape [2 2] takes 4") {
		t.Errorf("got %v, want the first array's fault", err)
	}
}
