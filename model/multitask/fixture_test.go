package multitask

import (
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn/params"
	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// fixture holds the results of FS-Mol's published code in float64, with a linear layer
// in place of the encoder.
type fixture struct {
	Tasks      int
	Vectors    [][]float64 // [n, d]
	Task       []int       `json:"task_of_molecule"` // [n]
	Labels     []uint8     // [n]
	Parameters map[string]any
	Logits     []float64
	Loss       float64
	Gradients  map[string]any
	FineTune   struct {
		Vectors     [][]float64
		Start       map[string]any
		EncoderRate float64 `json:"rate_of_encoder"`
		TailRate    float64 `json:"rate_of_tail"`
		WarmUp      int
		Steps       []struct {
			Rates      []float64 `json:"rates_tail_encoder"`
			Loss       float64   `json:"loss_before"`
			Norm       float64   `json:"gradient_norm_after_clipping"`
			Parameters map[string]any
		}
	}
}

// readFixture skips the test if the fixture is not there.
func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "gnnmt_reference.json.gz"), &f)
	return f
}

// names of the fixture's parameters and of ours.
var names = map[string]string{
	"graph_feature_extractor.linear.weight": "encoder.weight",
	"graph_feature_extractor.linear.bias":   "encoder.bias",
	"tail_mlp._layers.0.weight":             "multitask.hidden.weight",
	"tail_mlp._layers.0.bias":               "multitask.hidden.bias",
	"tail_mlp._layers.2.weight":             "multitask.classifiers.weight",
	"tail_mlp._layers.2.bias":               "multitask.classifiers.bias",
}

// flat returns the numbers of nested lists, row-major.
func flat(v any) []float64 {
	if n, ok := v.(float64); ok {
		return []float64{n}
	}
	var all []float64
	for _, part := range v.([]any) {
		all = append(all, flat(part)...)
	}
	return all
}

// network is the fixture's.
type network struct {
	*multitask
	linear []ops.Linear
	where  ops.Device
}

// newNetwork returns a network with the given parameters, and tasks as for newTail.
func newNetwork(t *testing.T, parameters map[string]any, tasks []int) *network {
	t.Helper()
	device, err := ops.ParseDevice(modeltest.Where())
	if err != nil {
		t.Fatal(err)
	}
	set := &params.Set{Device: device, Float64: true}
	t.Cleanup(set.Drop)
	shape := func(name string) int { return len(parameters[name].([]any)) }
	hidden := shape("tail_mlp._layers.0.bias")
	width := shape("graph_feature_extractor.linear.bias")
	in := len(flat(parameters["graph_feature_extractor.linear.weight"])) / width
	n := &network{where: device, multitask: &multitask{Body: &model.Body{Set: set}, settings: Settings{Tail: hidden, EncoderRate: 0.5}}}
	n.linear = []ops.Linear{set.Linear("encoder", in, width, true, 0)}
	n.tail = newTail(n.Body, n.settings, width, tasks)
	for published, values := range parameters {
		i := slices.IndexFunc(set.Trained(), func(p params.Parameter) bool { return p.Name == names[published] })
		if i < 0 {
			t.Fatalf("no parameter for %s", published)
		}
		if err := ops.Write(set.Trained()[i].Tensor, flat(values)); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// backward returns the loss of labelled vectors and the logits of the active class. It leaves
// the gradients in the parameters.
func (n *network) backward(t *testing.T, vectors [][]float64, labels []uint8, tasks []int) (loss float64, logits []float64) {
	t.Helper()
	h := &data.Batch{Support: 1, SupportLabel: labels, Inputs: molecule.Inputs{MolPtr: make([]int32, len(labels)+1)}}
	of := make([]int32, len(labels))
	for i := range labels {
		h.Tasks++
		h.SupportMol, h.TaskNumber = append(h.SupportMol, int32(i)), append(h.TaskNumber, int32(tasks[i]))
		of[i] = int32(tasks[i])
	}
	var s ops.Scope
	defer s.Drop()
	err := s.Run(func() {
		x := s.Keep(ops.New(slices.Concat(vectors...), []int64{int64(len(vectors)), int64(len(vectors[0]))}, n.where))
		read := n.read(s.Keep(ops.MLP(x, n.linear, ops.Mode{})), &s)
		l := n.Classifiers.Loss(&model.Batch{Host: h}, func(*ts.Tensor) *ts.Tensor { return read }, &s)
		s.Check(ops.Backward(l))
		var err error
		loss, err = ops.Number(l)
		s.Check(err)
		both, err := ops.ReadAs[float64](n.Logits(read, s.Keep(ops.Vector(of, n.where)), &s))
		s.Check(err)
		for i := range labels {
			logits = append(logits, both[2*i+1]-both[2*i])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return loss, logits
}

// The fixture has 12 decimals. Its losses are in float32, because the labels are. So the
// factor 1/n of the mean, which all gradients contain, is also in float32.
const (
	values = 1e-11
	losses = 1e-7
)

// rounded returns the factor by which 1/n in float32 changes the fixture's gradients.
func rounded(n int) float64 { return float64(float32(1)/float32(n)) * float64(n) }

// TestPublished compares the training loss, the logits and the gradients.
func TestPublished(t *testing.T) {
	f := readFixture(t)
	modeltest.RunBoth(t, "training", func(t *testing.T) {
		var tasks []int
		for task := range f.Tasks {
			tasks = append(tasks, task)
		}
		n := newNetwork(t, f.Parameters, tasks)
		loss, logits := n.backward(t, f.Vectors, f.Labels, f.Task)
		modeltest.Near(t, "logits", logits, f.Logits, values)
		modeltest.Near(t, "loss", []float64{loss}, []float64{f.Loss}, losses)
		for published, want := range f.Gradients {
			i := slices.IndexFunc(n.Set.Trained(), func(p params.Parameter) bool { return p.Name == names[published] })
			got, err := ops.Gradient(n.Set.Trained()[i].Tensor)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				got[i] *= rounded(len(f.Labels))
			}
			modeltest.GradientAgrees(t, published, got, flat(want))
		}
	})
}

// TestPublishedFineTuning makes the steps on a test task, with two rates, a warm-up and
// clipped gradients, and compares all parameters after each.
func TestPublishedFineTuning(t *testing.T) {
	f := readFixture(t)
	modeltest.RunBoth(t, "steps", func(t *testing.T) {
		n := newNetwork(t, f.FineTune.Start, nil)
		n.settings.EncoderRate = f.FineTune.EncoderRate / f.FineTune.TailRate
		tuning := model.Tuning{LearningRate: f.FineTune.TailRate, WarmUp: f.FineTune.WarmUp, ClipNorm: 1}
		adam, err := ops.NewAdam(params.Tensors(n.Set.Trained()), ops.AdamOptions{LR: tuning.LearningRate, ClipNorm: tuning.ClipNorm})
		if err != nil {
			t.Fatal(err)
		}
		defer adam.Drop()
		if err := n.ParamGroups(adam); err != nil {
			t.Fatal(err)
		}
		for i, want := range f.FineTune.Steps {
			modeltest.Near(t, "rates", []float64{tuning.Rate(i), tuning.Rate(i) * n.settings.EncoderRate}, want.Rates, values)
			loss, _ := n.backward(t, f.FineTune.Vectors, f.Labels, make([]int, len(f.Labels)))
			modeltest.Near(t, "loss", []float64{loss}, []float64{want.Loss}, losses)
			adam.Rate(tuning.Rate(i))
			norm, err := adam.Step()
			if err != nil {
				t.Fatal(err)
			}
			// torch divides by the norm plus 1e-6.
			modeltest.Near(t, "norm after clipping", []float64{norm * min(1, tuning.ClipNorm/(norm+1e-6))}, []float64{want.Norm}, losses)
			for _, p := range n.Set.Trained() {
				for published, ours := range names {
					if ours == p.Name {
						modeltest.Near(t, published, modeltest.Values(t, p), flat(want.Parameters[published]), values)
					}
				}
			}
		}
	})
}
