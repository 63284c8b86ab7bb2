package pacia

import (
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestPublishedCounts: the published model has 9,307,546 parameters, and 248,199 of them
// are unused. The paper gives 3.28 M, 3.00 K of them adaptive.
func TestPublishedCounts(t *testing.T) {
	for preset, want := range map[string]int{model.Reference: 9_307_546 - 248_199, model.Paper: 3_245_436} {
		m := newTest(t, full(t, preset), false)
		total, names := 0, map[string]bool{}
		for _, p := range m.Parameters() {
			total += p.Size()
			if names[p.Name] {
				t.Errorf("%s: two parameters are named %s", preset, p.Name)
			}
			names[p.Name] = true
			if shape, err := p.Tensor.Size(); err != nil || len(shape) != len(p.Shape) {
				t.Errorf("%s: %s has shape %v in the list and %v, %v in memory", preset, p.Name, p.Shape, shape, err)
			}
		}
		if total != want {
			t.Errorf("%s: %d parameters, want %d", preset, total, want)
		}
		if m.Adaptive() != 3000 {
			t.Errorf("%s: %d adaptive parameters, want 3000", preset, m.Adaptive())
		}
		var parts []string
		byPart := 0
		for _, c := range m.Counts() {
			parts, byPart = append(parts, c.Part), byPart+c.Count
		}
		if byPart != total || len(parts) != 6 {
			t.Errorf("%s: parts %q with %d parameters, want six with %d", preset, parts, byPart, total)
		}
	}
}

// TestWidthsOnFSMol: in Table 5 of the paper, nodes have width 256, the network of
// pairs has widths 256 → 128 → 1, and the update of nodes 256 → 256.
func TestWidthsOnFSMol(t *testing.T) {
	c := small(t, model.Paper)
	c.Relation.Width, c.Relation.Hidden = 256, 256
	want := map[string][]int64{
		"relation.0.similarity.0.weight": {256, 256}, "relation.0.similarity.1.weight": {128, 256}, "relation.0.similarity.2.weight": {1, 128},
		"relation.0.node.0.weight": {256, 512}, "relation.0.node.1.weight": {256, 256},
	}
	for _, p := range newTest(t, c, false).Parameters() {
		if shape, ok := want[p.Name]; ok && !slices.Equal(shape, p.Shape) {
			t.Errorf("%s has shape %v, want %v", p.Name, p.Shape, shape)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing parameters: %v", want)
	}
}

// TestAdaptiveBySetting: 2d for node embeddings, 1 for depth, in each layer.
func TestAdaptiveBySetting(t *testing.T) {
	for setting, want := range map[string]int{"none": 0, "N": 2 * (2 * 6), "D": 2, "ND": 2 * (2*6 + 1)} {
		c := small(t, model.Paper)
		c.Adapt.Encoder = setting
		if got := newTest(t, c, false).Adaptive(); got != want {
			t.Errorf("adapt.encoder %s: %d adaptive parameters, want %d", setting, got, want)
		}
	}
}

// TestSharedPartsStartAlike: parameters that two settings share have equal initial
// values for one seed, so that only the settings differ in a comparison.
func TestSharedPartsStartAlike(t *testing.T) {
	modeltest.Locked(t, 1)
	c := small(t, model.Paper)
	one := newTest(t, c, false)
	c.Adapt.Encoder, c.Adapt.Predictor = "none", "ND"
	two := newTest(t, c, false)
	values := map[string][]float32{}
	for _, p := range one.Parameters() {
		v, err := ops.Read(p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		values[p.Name] = v
	}
	common := 0
	for _, p := range two.Parameters() {
		v, err := ops.Read(p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		was := values[p.Name]
		if len(was) != len(v) {
			continue
		}
		common++
		for i := range v {
			if v[i] != was[i] {
				t.Errorf("%s: value %d starts as %v and as %v", p.Name, i, was[i], v[i])
				break
			}
		}
	}
	if common < 30 {
		t.Errorf("only %d parameters in common", common)
	}
}
