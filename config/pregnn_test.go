package config

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/safetensors"
	"pacia/train"
)

// encoderOf reads the trained parameters of an encoder.
func encoderOf(t *testing.T, file string) map[string][]float32 {
	t.Helper()
	f, err := safetensors.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][]float32{}
	for _, tensor := range f.Tensors {
		if !strings.HasPrefix(tensor.Name, "encoder.") || strings.HasSuffix(tensor.Name, "norm.mean") || strings.HasSuffix(tensor.Name, "norm.var") {
			continue
		}
		if all[tensor.Name], err = tensor.Read(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestPreGNN runs both variants of a pretrained encoder with a linear classifier. In variant a
// the test tasks use the encoder of the file, in variant b the encoder after meta-training.
// Other weights give other scores.
func TestPreGNN(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clean(t)
	file := smallEncoder(t)
	pretrained := encoderOf(t, file)
	set := append([]string{"train.evaluate_every=0", "train.selection=last", "train.finetune.steps=3", "train.evaluation_draws=1",
		"train.adaptivity=never"}, small...)
	run := func(preset string, more ...string) (auc float64, encoder map[string][]float32) {
		dir := t.TempDir()
		s, err := train.Run(context.Background(), load(t, Options{Preset: preset, Set: append(slices.Clone(set), more...)}), dir, false, silent{})
		if err != nil {
			t.Fatalf("%s: %v", preset, err)
		}
		if s.Last == nil {
			t.Fatalf("%s: no evaluation", preset)
		}
		return s.Last.Value(""), encoderOf(t, filepath.Join(dir, "last.ckpt"))
	}
	a, as := run("tox21-10shot,rivals/pregnn-a", "model.pretrained="+file)
	if !maps.EqualFunc(as, pretrained, slices.Equal) {
		t.Error("a: the encoder is not that of the file")
	}
	if random, _ := run("tox21-10shot,rivals/pregnn-a", "model.pretrained="); random == a {
		t.Errorf("a: random weights have the same figure, %v", a)
	}
	_, bs := run("tox21-10shot,rivals/pregnn-b", "model.pretrained="+file, "train.episodes=1")
	if len(bs) != len(pretrained) || maps.EqualFunc(bs, pretrained, slices.Equal) {
		t.Error("b: the encoder has not learnt")
	}
}
