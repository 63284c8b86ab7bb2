package checkpoint

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacia/harness/runtest"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
)

// pickled is a state dict of float32 tensors in the format of PyTorch before 1.6.
type pickled struct{ pickle, keys, data []byte }

func text(s string) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{'X'}, uint32(len(s))), s...)
}

func whole(n int64) []byte { return binary.LittleEndian.AppendUint32([]byte{'J'}, uint32(n)) }

// add adds a tensor to the dictionary, with its own storage.
func (p *pickled) add(name string, shape []int64, values []float32) {
	key := text(name + "'s")
	numbers, strides := []byte{'('}, []byte{'('}
	for i, n := range shape {
		stride := int64(1)
		for _, s := range shape[i+1:] {
			stride *= s
		}
		numbers, strides = append(numbers, whole(n)...), append(strides, whole(stride)...)
	}
	p.pickle = slices.Concat(p.pickle, text(name), []byte("ctorch._utils\n_rebuild_tensor_v2\n(("),
		text("storage"), []byte("ctorch\nFloatStorage\n"), key, text("cpu"), whole(int64(len(values))), []byte("tQ"),
		whole(0), append(numbers, 't'), append(strides, 't'), []byte("\x89ccollections\nOrderedDict\n)RtRs"))
	p.keys = slices.Concat(p.keys, key, []byte{'a'})
	p.data = binary.LittleEndian.AppendUint64(p.data, uint64(len(values)))
	for _, v := range values {
		p.data = binary.LittleEndian.AppendUint32(p.data, math.Float32bits(v))
	}
}

func (p *pickled) write(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.pth")
	content := slices.Concat([]byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}"),
		text("little_endian"), []byte("\x88s.\x80\x02ccollections\nOrderedDict\n)R"), p.pickle, []byte(".\x80\x02]"), p.keys, []byte("."), p.data)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// publishedName returns the name of an encoder's tensor in the files of Hu et al.
func publishedName(encoder, own string) string {
	linear := map[string]string{"gat": "weight_linear"}[encoder]
	if linear == "" {
		linear = "linear"
	}
	for _, r := range [][2]string{
		{`^encoder\.atom$`, "x_embedding1.weight"},
		{`^encoder\.chirality$`, "x_embedding2.weight"},
		{`^encoder\.(\d+)\.norm\.(weight|bias)$`, "batch_norms.$1.$2"},
		{`^encoder\.(\d+)\.norm\.(mean|var)$`, "batch_norms.$1.running_$2"},
		{`^encoder\.(\d+)\.mlp\.0\.`, "gnns.$1.mlp.0."},
		{`^encoder\.(\d+)\.mlp\.1\.`, "gnns.$1.mlp.2."},
		{`^encoder\.(\d+)\.linear\.`, "gnns.$1." + linear + "."},
		{`^encoder\.(\d+)\.attention$`, "gnns.$1.att"},
		{`^encoder\.(\d+)\.bond$`, "gnns.$1.edge_embedding1.weight"},
		{`^encoder\.(\d+)\.direction$`, "gnns.$1.edge_embedding2.weight"},
		{`^encoder\.(\d+)\.bias$`, "gnns.$1.bias"},
	} {
		if name := regexp.MustCompile(r[0]).ReplaceAllString(own, r[1]); name != own {
			return name
		}
	}
	return ""
}

// published writes the encoder of a model of cfg with the names of Hu et al. The function
// edit may change a tensor, or leave it out by returning "".
func published(t *testing.T, cfg runconfig.Config, edit func(*pickled, Variable, string) string) (path string, from []Variable) {
	t.Helper()
	m, err := methods.New(cfg.Model, model.Options{Seed: cfg.Seed + 1, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Drop)
	var p pickled
	for _, v := range VariablesOf(m) {
		if !strings.HasPrefix(v.Name, model.EncoderPrefix) {
			continue
		}
		values, err := v.Read()
		if err != nil {
			t.Fatal(err)
		}
		shape := v.Shape
		if strings.HasSuffix(v.Name, ".attention") {
			shape = append([]int64{1}, shape...)
		}
		name := publishedName(cfg.Model.Encoder, v.Name)
		if edit != nil {
			name = edit(&p, v, name)
		}
		if name != "" {
			p.add(name, shape, values)
		}
	}
	p.add("batch_norms.0.num_batches_tracked", nil, []float32{7})
	return p.write(t), VariablesOf(m)
}

func encoderConfig(t *testing.T, encoder string) runconfig.Config {
	t.Helper()
	cfg := runtest.Config(t)
	cfg.Model.Encoder, cfg.Model.Layers, cfg.Model.Width = encoder, 2, 6
	return cfg
}

// TestPublishedEncoders starts each encoder from a state dict.
func TestPublishedEncoders(t *testing.T) {
	for _, encoder := range []string{"gin", "gcn", "graphsage", "gat"} {
		cfg := encoderConfig(t, encoder)
		err := ops.Pinned(1, func() error {
			path, from := published(t, cfg, func(p *pickled, v Variable, name string) string {
				if v.Name == "encoder.atom" {
					p.add("graph_pred_linear.weight", []int64{2}, []float32{1, 2})
				}
				return "gnn." + name
			})
			own, err := newModel(cfg)
			if err != nil {
				return err
			}
			defer own.Drop()
			cfg.Model.Pretrained = path
			to, err := newModel(cfg)
			if err != nil {
				return err
			}
			defer to.Drop()
			compare(t, from, VariablesOf(own), VariablesOf(to))
			m, err := methods.New(cfg.Model, model.Options{Seed: 1, Device: "cpu"})
			if err != nil {
				return err
			}
			defer m.Drop()
			left, err := pretrain(path, m)
			if !slices.Equal(left, []string{"graph_pred_linear.weight"}) {
				t.Errorf("%s: %q is left over, want graph_pred_linear.weight", encoder, left)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPublishedMisfits checks that the error describes the misfit, and suggests settings
// that fit.
func TestPublishedMisfits(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(p *pickled, v Variable, name string) string
		change func(*model.Config)
		words  []string
	}{
		"missing": {func(_ *pickled, _ Variable, name string) string {
			if strings.HasPrefix(name, "gnns.1.") {
				return ""
			}
			return name
		}, nil, []string{"it lacks encoder.1.mlp.0.weight, encoder.1.mlp.0.bias, encoder.1.mlp.1.weight and 3 more"}},
		"fewer layers": {nil, func(c *model.Config) { c.Layers = 1 },
			[]string{"batch_norms.1.bias, batch_norms.1.running_mean, batch_norms.1.running_var and 7 more would be left over; write model.encoder=gin, model.layers=2 and model.width=6"}},
		"more layers":     {nil, func(c *model.Config) { c.Layers = 3 }, []string{"it lacks encoder.2.", "model.layers=2"}},
		"another width":   {nil, func(c *model.Config) { c.Width = 7 }, []string{"its x_embedding1.weight has shape [120 6], the model's [120 7]", "model.width=6"}},
		"another encoder": {nil, func(c *model.Config) { c.Encoder = "gat" }, []string{"its gnns.0.edge_embedding1.weight has shape [6 6], the model's [6 12]", "model.encoder=gin"}},
		"an encoder alike": {nil, func(c *model.Config) { c.Encoder = "gcn" },
			[]string{"it lacks encoder.0.linear.weight, encoder.0.linear.bias, encoder.1.linear.weight and 1 more, and gnns.0.mlp.0.bias, ", "model.encoder=gin"}},
		"not a number": {func(p *pickled, v Variable, name string) string {
			if v.Name == "encoder.0.norm.var" {
				p.add(name, v.Shape, []float32{1, 1, float32(math.NaN()), 1, 1, 1})
				return ""
			}
			return name
		}, nil, []string{"entry 2 of batch_norms.0.running_var is NaN"}},
		"nothing": {func(*pickled, Variable, string) string { return "" }, nil, []string{"it lacks encoder.atom", "name a file that holds an encoder"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := encoderConfig(t, "gin")
			err := ops.Pinned(1, func() error {
				cfg.Model.Pretrained, _ = published(t, cfg, c.edit)
				if c.change != nil {
					c.change(&cfg.Model)
				}
				_, err := newModel(cfg)
				return err
			})
			if !badinput.Is(err) {
				t.Fatalf("error %v, want a fault", err)
			}
			for _, w := range c.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error %q lacks %q", err, w)
				}
			}
		})
	}
}

// TestPrefixes: an encoder is read behind any prefix, that of a wrapper or of the model that it is part of. Of two encoders
// none is read.
func TestPrefixes(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{"module.", "", ""}, {"_orig_mod.", "", ""}, {"module.gnn.", "", ""}, {"_orig_mod.module.gnn.", "", ""}, {"model.encoder.", "", ""},
		{"student.", "teacher.", "several encoders, with names that begin with student., teacher."},
	} {
		cfg := encoderConfig(t, "gin")
		err := ops.Pinned(1, func() error {
			cfg.Model.Pretrained, _ = published(t, cfg, func(p *pickled, v Variable, name string) string {
				if tt.second != "" && v.Name == "encoder.atom" {
					p.add(tt.second+name, v.Shape, make([]float32, v.Shape[0]*v.Shape[1]))
				}
				return tt.first + name
			})
			_, err := newModel(cfg)
			return err
		})
		if tt.want == "" && err != nil || tt.want != "" && (!badinput.Is(err) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: error %v, want %q", tt.first, err, tt.want)
		}
	}
}

// TestPretrainedFromOtherFiles checks the errors of files that are not models.
func TestPretrainedFromOtherFiles(t *testing.T) {
	cfg := encoderConfig(t, "gin")
	for content, words := range map[string]string{"PK\x03\x04": "not a state dict that can be read", "smiles,label\n": "name a checkpoint, a model of pacia export or a state dict of PyTorch"} {
		cfg.Model.Pretrained = filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(cfg.Model.Pretrained, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := ops.Pinned(1, func() error {
			_, err := newModel(cfg)
			return err
		})
		if !badinput.Is(err) || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: error %v, want a fault with %q", content, err, words)
		}
	}
}
