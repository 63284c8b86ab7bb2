package gsmeta

import (
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/inner"
)

// small returns the settings of a narrow model, with the published settings edited by change.
func small(t *testing.T, change func(*Settings)) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Reference)
	own := c.Own.(Settings)
	own.Properties.Similarity, own.Selection.Hidden = 3, 4
	if change != nil {
		change(&own)
	}
	c.Own = own
	return c
}

// made returns a model in double precision that keeps the training tasks of d, and its method.
func made(t *testing.T, c model.Config, d *data.Dataset) (*model.Model, *gsmeta) {
	t.Helper()
	m := modeltest.Remembering(t, Spec, c, d)
	return m, m.Method().(*gsmeta)
}

func pairs(t *testing.T, d *data.Dataset) *data.Batch { return modeltest.Pairs(t, d, 2) }

// TestEncoders takes a training step, a step on a support set, and scores. Encoders after the first
// alternate between the statistics of batch norm.
func TestEncoders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	norms := []string{"running", "support"}
	for i, encoder := range []string{"gin", "gat", "pna", "film", "mat", "fingerprint", "gin+fingerprint"} {
		some := norms[i%2 : i%2+1]
		if encoder == "gin" {
			some = norms
		}
		for _, norm := range some {
			// Without the choice of tasks, which cannot learn from one task.
			c := small(t, func(s *Settings) { s.Selection.Tasks = 0 })
			c.Encoder, c.Width, c.Norm = encoder, 8, norm
			if encoder == "mat" {
				c.Heads = 2
			}
			x.Run(t, encoder+"/"+norm, c)
		}
	}
}

// TestPublishedSize: for molecules of width 300, the published head has 526,202 parameters in the
// relation, 181,201 in the classifier, 183,621 in the selector, and 300 for each task.
func TestPublishedSize(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Reference)
	c.Width = 300
	m := modeltest.New(t, Spec, c, model.Options{Tasks: modeltest.FourTraining})
	got := map[string]int{}
	for _, part := range m.Counts() {
		got[part.Part] += part.Count
	}
	for part, want := range map[string]int{"relation graph": 526_202, "classifier": 181_201, "selector": 183_621, "properties": 4 * 300} {
		if got[part] != want {
			t.Errorf("%s has %d parameters, want %d", part, got[part], want)
		}
	}
}

// TestSlope: gradients are the slope of the loss with the contrast, with dropout and two episodes of each
// task. Inner steps are either too short to matter or have second-order gradients, which are also tested on
// kernels. The properties of training tasks have gradients.
func TestSlope(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Run(t, "short steps true", func(t *testing.T) { testSlope(t, true) })
	modeltest.RunBoth(t, "short steps false", func(t *testing.T) { testSlope(t, false) })
}

func testSlope(t *testing.T, exact bool) {
	d := modeltest.Four()
	c := small(t, func(s *Settings) { s.Contrast.Weight, s.Contrast.Temperature = 0.7, 0.5 })
	own := c.Own.(Settings)
	if exact {
		own = own.Exact().(Settings)
	} else {
		own.Selection.Tasks, own.Adaptation = 0, inner.Settings{Steps: 2, Rate: 0.2, Order: 2}
	}
	c.Dropout, c.Own = 0.2, own
	m, _ := made(t, c, d)
	b := pairs(t, d)
	_, grads := modeltest.Backward(t, m, b, 1)
	for _, name := range []string{"properties", "graph.0.types"} {
		if modeltest.Norm(grads[name]) == 0 {
			t.Errorf("%s has no gradient", name)
		}
	}
	if modeltest.Norm(grads["target"]) != 0 {
		t.Error("the property of test tasks has a gradient")
	}
	slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
	if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
		t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
	}
}

// TestAuxiliaryAreDrawn: auxiliary tasks are distinct, without the target, and as many as set.
func TestAuxiliaryAreDrawn(t *testing.T) {
	modeltest.Locked(t, 1)
	for most, want := range map[int]int{0: 2, 1: 1, 9: 2} {
		_, own := made(t, small(t, func(s *Settings) { s.Properties.Auxiliary = most }), modeltest.Four())
		seen := map[int]bool{}
		for seed := range uint64(20) {
			list := own.auxiliary(1, seed)
			for _, p := range list {
				seen[p] = true
			}
			if len(list) != want || slices.Contains(list, 1) {
				t.Errorf("at most %d: the auxiliary tasks of 1 are %v", most, list)
			}
		}
		if len(seen) != 2 {
			t.Errorf("at most %d: only %v are ever drawn", most, seen)
		}
		if all := own.auxiliary(-1, 0); most == 0 && len(all) != 3 {
			t.Errorf("a test task has the auxiliary tasks %v", all)
		}
	}
}

// TestCheck: missing inputs of a step are reported.
func TestCheck(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	m, _ := made(t, small(t, nil), d)
	b := pairs(t, d)
	b.TaskNumber[1] = 2
	_, err := m.Backward(b, 1)
	modeltest.Fails(t, err, "task 2 is not one of the 3 training tasks")
	b = pairs(t, d)
	b.QueryMol, b.QueryLabel, b.QueryTask = nil, nil, nil
	_, err = m.Backward(b, 1)
	modeltest.Fails(t, err, "one task is needed")
	modeltest.Fails(t, small(t, func(s *Settings) { s.Contrast.Weight = 0 }).Validate(), "model.selection.tasks=0")
}
