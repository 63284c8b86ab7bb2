package statedict

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

func content(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestForms reads the files of testdata/make.py in each form. They have every type of
// elements, views that share a storage, a parameter, a scalar and an empty tensor.
func TestForms(t *testing.T) {
	inf := float32(math.Inf(1))
	want := []Tensor{
		{"float", []int64{2, 3}, []float32{-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}},
		{"transposed", []int64{3, 2}, []float32{0, 3, 1, 4, 2, 5}},
		{"shared", []int64{2}, []float32{4, 5}},
		{"parameter", []int64{1, 3}, []float32{0, 0.5, 1}},
		{"double", []int64{2}, []float32{1e-3, -2}},
		{"half", []int64{5}, []float32{1.5, -0.25, 65504, 1. / (1 << 24), inf}},
		{"bfloat16", []int64{2}, []float32{3, -0.0078125}},
		{"long", []int64{}, []float32{-7}},
		{"int", []int64{2}, []float32{70000, -1}},
		{"short", []int64{1}, []float32{-300}},
		{"char", []int64{1}, []float32{-5}},
		{"byte", []int64{1}, []float32{200}},
		{"bool", []int64{2}, []float32{1, 0}},
		{"empty", []int64{0, 4}, []float32{}},
	}
	for _, file := range []string{"zip.pth", "legacy.pth", "protocol4.pth"} {
		if !Is(content(t, file)) {
			t.Errorf("%s: its start is not recognised", file)
		}
		got, err := Read(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d tensors, want %d", file, len(got), len(want))
		}
		for i, w := range want {
			if g := got[i]; g.Name != w.Name || !slices.Equal(g.Shape, w.Shape) || !slices.Equal(g.Values, w.Values) {
				t.Errorf("%s: tensor %d is %v, want %v", file, i, g, w)
			}
		}
	}
}

// TestTruncated cuts files at every length.
func TestTruncated(t *testing.T) {
	for _, file := range []string{"zip.pth", "legacy.pth"} {
		data := content(t, file)
		for n := range data {
			if _, err := Parse(data[:n]); err == nil {
				t.Errorf("%s: %d of %d bytes pass for the file", file, n, len(data))
			}
		}
	}
	path := filepath.Join(t.TempDir(), "cut.pth")
	legacy := content(t, "legacy.pth")
	if err := os.WriteFile(path, legacy[:len(legacy)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Read(path)
	if !badinput.Is(err) || err.Error() != path+": not a state dict that can be read: it ends too early; the file is cut short or damaged: copy it or download it again" {
		t.Errorf("error %v", err)
	}
}

// put writes a legacy file around one pickle. Its storage "0" has four floats.
func put(pickle string) []byte {
	whole := "\x80\x02\x8a\x0a" + legacyMagic + "." +
		"\x80\x02M\xe9\x03." +
		"\x80\x02}X\x0d\x00\x00\x00little_endian\x88s." +
		"\x80\x02" + pickle + "." +
		"\x80\x02]X\x01\x00\x00\x000a." +
		"\x04\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x00\x00\x80\x3f", 4)
	return []byte(whole)
}

// Parts of pickles.
const (
	float   = "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x04tQ"
	rebuild = "ctorch._utils\n_rebuild_tensor_v2\n("
	rest    = "\x89ccollections\nOrderedDict\n)RtR"
)

// view returns a pickle of one tensor, named x; offset, shape and stride are pickles.
func view(offset, shape, stride string) string {
	return "}X\x01\x00\x00\x00x" + rebuild + float + offset + shape + stride + rest + "s"
}

func TestByHand(t *testing.T) {
	got, err := Parse(put(view("K\x01", "K\x03\x85", "K\x01\x85")))
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Values, []float32{1, 1, 1}) {
		t.Errorf("%v, %v; want x of three ones", got, err)
	}
}

// inside returns a pickle that sets a key of a dictionary, which is on the stack, to another dictionary.
func inside(key, pickle string) string { return "X\x01\x00\x00\x00" + key + pickle + "s" }

// TestOneDictionaryMore: beside other values, the only dictionary of tensors is read, as those of PyTorch's tutorial and of
// Lightning, whose optimiser has keys that are numbers.
func TestOneDictionaryMore(t *testing.T) {
	x := view("K\x01", "K\x03\x85", "K\x01\x85")
	for _, pickle := range []string{
		"}" + inside("s", x), "}" + inside("e", "K\x04") + inside("s", x),
		"}" + inside("o", "}"+inside("t", "}K\x00}s")) + inside("s", x) + inside("p", "}"),
	} {
		got, err := Parse(put(pickle))
		if err != nil || len(got) != 1 || got[0].Name != "x" {
			t.Errorf("%q: %v, %v; want x", pickle, got, err)
		}
	}
}

func TestRefused(t *testing.T) {
	x := view("K\x01", "K\x03\x85", "K\x01\x85")
	two := "}" + inside("a", x) + inside("b", x)
	big := "J\xff\xff\xff\x7f"
	for name, c := range map[string]struct{ pickle, words string }{
		"a command":             {"cposix\nsystem\nX\x04\x00\x00\x00true\x85R", `it would call "posix.system", which tensors do not need; nothing was called`},
		"a command, protocol 4": {"\x8c\x08builtins\x8c\x04eval\x93", `"builtins.eval"`},
		"another class":         {"ctorch.nn.modules.linear\nLinear\n)\x81", `"torch.nn.modules.linear.Linear"`},
		"an instance":           {"(cposix\nsystem\no", `"posix.system"`},
		"an opcode":             {"P0\n", "opcode 0x50"},
		"a type of a storage":   {"ctorch\nQUInt8Storage\n", `"torch.QUInt8Storage"`},
		"a storage called":      {"ctorch\nFloatStorage\n)R", "it calls torch.FloatStorage"},
		"a number":              {float + "0K\x03", "a number (3) in place of a dictionary of tensors"},
		"names of numbers":      {float + "0}K\x03K\x04s", "a dictionary has the key a number (3)"},
		"other things":          {float + "0}X\x05\x00\x00\x00epochK\x04s", `"epoch" is a number (4) in place of a tensor`},
		"two dictionaries":      {two, "it holds several dictionaries of tensors: a, b"},
		"an empty stack":        {"tR", "uses a value that does not exist"},
		"a mark as a value":     {"(R", "uses a value that does not exist"},
		"an unknown memo":       {"h\x07", "uses a value that does not exist"},
		"behind the end":        {view("K\x02", "K\x03\x85", "K\x01\x85"), "shape [3] and strides [1] from element 2 of a storage of 4"},
		"strides too long":      {view("K\x00", "K\x02K\x02\x86", "K\x03K\x01\x86"), "strides [3 1]"},
		"before the start":      {view("J\xff\xff\xff\xff", "K\x01\x85", "K\x01\x85"), "from element -1"},
		"a negative size":       {view("K\x00", "J\xff\xff\xff\xff\x85", "K\x01\x85"), "shape [-1]"},
		"a negative stride":     {view("K\x03", "K\x02\x85", "J\xff\xff\xff\xff\x85"), "strides [-1]"},
		"ones without end":      {view("K\x00", big+"\x85", "K\x00\x85"), "shape [2147483647] and strides [0]"},
		"products that wrap":    {view("K\x00", "("+strings.Repeat(big, 3)+"t", "("+strings.Repeat("K\x00", 3)+"t"), "strides [0 0 0]"},
		"shapes and strides":    {view("K\x00", "K\x01\x85", ")"), "shape [1] and strides []"},
		"a shape of text":       {view("K\x00", "X\x01\x00\x00\x003\x85", "K\x01\x85"), "other arguments"},
		"too few arguments":     {"}X\x01\x00\x00\x00x" + rebuild + float + "tRs", "other arguments"},
		"part of a storage":     {strings.Replace(view("K\x00", ")", ")"), "tQ", ")tQ", 1), "a storage is part of another"},
		"two sizes":             {"}(X\x01\x00\x00\x00x" + float + "X\x01\x00\x00\x00y" + strings.Replace(float, "K\x04", "K\x05", 1) + "u", `storage "0" has 4 elements of FloatStorage, and 5`},
		"another size":          {strings.Replace(view("K\x00", ")", ")"), "K\x04", "K\x05", 1), `storage "0" has 4 elements, not 5`},
		"no storage":            {"}", `no tensor uses storage "0"`},
		"an outside reference":  {"X\x01\x00\x00\x00xQ", "refers to a string outside of itself"},
		"a state of a number":   {"K\x01}b", "a state of a number (1)"},
	} {
		if _, err := Parse(put(c.pickle)); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.words)
		}
	}
}

// TestTooLarge checks that a file is refused if very many tensors are views of one whole
// storage, so that their size exceeds the limit.
func TestTooLarge(t *testing.T) {
	// A name and a tensor from the memo take 10 bytes; the storage has 1,200.
	storage := strings.Replace(float, "K\x04", "M\x2c\x01", 1)
	pickle := "}(X\x01\x00\x00\x00x" + rebuild + storage + "K\x00M\x2c\x01\x85K\x01\x85" + rest + "q\x00"
	for i := range 4000 {
		pickle += "X\x02\x00\x00\x00" + string([]byte{byte(i >> 8), byte(i)}) + "h\x00"
	}
	data := put(pickle + "u")
	data = append(data[:len(data)-24], "\x2c\x01\x00\x00\x00\x00\x00\x00"+strings.Repeat("\x00\x00\x80\x3f", 300)...)
	if got, err := Parse(data); err != nil || len(got) != 4001 {
		t.Fatalf("%d tensors of 1,200 bytes in a file of %d: error %v", len(got), len(data), err)
	}
	pickle = strings.ReplaceAll(pickle, "M\x2c\x01", "M\x00\xff")
	data = put(pickle + "u")
	data = append(data[:len(data)-24], "\x00\xff\x00\x00\x00\x00\x00\x00"+strings.Repeat("\x00\x00\x80\x3f", 0xff00)...)
	if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), "more than 200 times as large as the file") {
		t.Errorf("4,001 tensors of 261,120 bytes in a file of %d: error %v", len(data), err)
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ path, words string }{
		{filepath.Join(dir, "none.pth"), "none.pth: cannot be read: no such file or directory; check the file"},
		{dir, "cannot be read: is a directory"},
		{os.DevNull, "it is not a regular file"},
		{filepath.Join("testdata", "make.py"), "it does not start like a file of torch.save; save it again in Python: torch.save(model.state_dict(), FILE)"},
	} {
		_, err := Read(c.path)
		if !badinput.Is(err) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: error %v, want a fault with %q", c.path, err, c.words)
		}
	}
	for name, data := range map[string][]byte{"nothing": nil, "a pickle": []byte("\x80\x02K\x01."), "big endian": bytes.Replace(content(t, "legacy.pth"), []byte("little_endianq\x02\x88"), []byte("little_endianq\x02\x89"), 1)} {
		if _, err := Parse(data); err == nil || errors.Is(err, errShort) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
