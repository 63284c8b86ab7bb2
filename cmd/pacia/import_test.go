package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// plainFile is a file of the format safetensors as a program that knows only the format sees it.
type plainFile struct {
	about   map[string]string
	tensors map[string]plainTensor
}

type plainTensor struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
	data    []byte
}

func readPlain(t *testing.T, name string) plainFile {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	size := 8 + binary.LittleEndian.Uint64(content)
	var fields map[string]json.RawMessage
	f := plainFile{tensors: map[string]plainTensor{}}
	if err := json.Unmarshal(content[8:size], &fields); err != nil {
		t.Fatal(err)
	}
	for key, text := range fields {
		var x plainTensor
		if key == "__metadata__" {
			err = json.Unmarshal(text, &f.about)
		} else if err = json.Unmarshal(text, &x); err == nil {
			x.data = content[size:][x.Offsets[0]:x.Offsets[1]]
			f.tensors[key] = x
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// write writes the tensors in another order than pacia does.
func (f plainFile) write(t *testing.T, name string) {
	t.Helper()
	var data bytes.Buffer
	header := map[string]any{}
	if f.about != nil {
		header["__metadata__"] = f.about
	}
	names := slices.Sorted(maps.Keys(f.tensors))
	slices.Reverse(names)
	for _, key := range names {
		x := f.tensors[key]
		x.Offsets = [2]int{data.Len(), data.Len() + len(x.data)}
		data.Write(x.data)
		header[key] = x
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, string(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))+string(text)+data.String())
}

// negated is the tensor with the sign of its values changed, in float64.
func (x plainTensor) negated() plainTensor {
	x.DType = "F64"
	var data []byte
	for at := 0; at < len(x.data); at += 4 {
		v := -float64(math.Float32frombits(binary.LittleEndian.Uint32(x.data[at:])))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	x.data = data
	return x
}

// spoilt is the tensor with other bits in its first element, of a type of four bytes.
func (x plainTensor) spoilt(kind string, bits uint32) plainTensor {
	x.DType, x.data = kind, slices.Clone(x.data)
	binary.LittleEndian.PutUint32(x.data, bits)
	return x
}

func (x plainTensor) flat() plainTensor {
	x.Shape = []int{len(x.data) / 4}
	return x
}

// TestImport checks the way of a model through another program: unchanged it gives the same table to the byte, changed
// another one. What is not the model that its metadata describe is refused.
func TestImport(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	ok(t, "export", "run/last.ckpt", "--out", "model.safetensors")
	table := func(model string) string {
		ok(t, "predict", "--checkpoint", model, "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv")
		text, err := os.ReadFile("ranked.csv")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := table("model.safetensors")
	imported := func(f plainFile) string {
		f.write(t, "changed.safetensors")
		refused(t, "changed.safetensors: the file is damaged", "eval", "--checkpoint", "changed.safetensors")
		out := ok(t, "import", "changed.safetensors", "--out", "back.safetensors")
		if !strings.HasPrefix(out, "back.safetensors: ") || !strings.HasSuffix(out, " numbers, of the model after episode 6 on library\n") {
			t.Errorf("import prints %q", out)
		}
		return table("back.safetensors")
	}
	f := readPlain(t, "model.safetensors")
	delete(f.about, "checksum")
	if got := imported(f); got != want {
		t.Errorf("an unchanged model gives\n%s\nwant\n%s", got, want)
	}
	const name = "encoder.atom"
	atom := f.tensors[name]
	f.about["checksum"] = strings.Repeat("0", 64)
	f.tensors[name] = atom.negated()
	if imported(f) == want {
		t.Error("a changed model gives the same table")
	}
	for message, spoil := range map[string]func(){
		"the checkpoint is of another model: it lacks encoder.atom; write all tensors of the model": func() { delete(f.tensors, name) },
		"the checkpoint is of another model: its encoder.atom has shape [":                          func() { f.tensors[name] = atom.flat() },
		"is NaN; use another file":                    func() { f.tensors[name] = atom.spoilt("F32", 0x7fc00000) },
		"its elements are of type I32; write them as": func() { f.tensors[name] = atom.spoilt("I32", 1) },
		"the model has no another":                    func() { f.tensors["another"] = atom },
		"its metadata do not describe a model; write the metadata of the file that pacia export wrote": func() { f.about = nil },
	} {
		f = readPlain(t, "model.safetensors")
		atom = f.tensors[name]
		spoil()
		f.write(t, "changed.safetensors")
		refused(t, message, "import", "changed.safetensors", "--out", "refused.safetensors")
	}
	if _, err := os.Stat("refused.safetensors"); err == nil {
		t.Error("a refused model was written")
	}
	put(t, "text", "not a model")
	refused(t, "write it with a library of the format safetensors", "import", "text", "--out", "x")
	wantFault(t, "pacia: pacia import needs --out; write --out FILE: FILE to write, such as model.safetensors", "import", "model.safetensors")
	wantFault(t, "pacia: --out model.safetensors would overwrite model.safetensors; write another name",
		"import", "model.safetensors", "--out", "model.safetensors")
}
