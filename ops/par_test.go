package ops

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// parCase describes tasks of n support molecules with vectors of width d, and a head of width w.
type parCase struct {
	labels, asked []uint8
	queries       []int64 // of each task
	n, d, w, k    int
	steps         PARSteps
}

func (c parCase) with(change func(*parCase)) parCase {
	change(&c)
	return c
}

var twoTasks = parCase{
	[]uint8{0, 0, 1, 1, 0, 1, 0, 1}, []uint8{0, 1, 1, 0, 1}, []int64{3, 2}, 4, 3, 4, 2, PARSteps{Steps: 1, Rate: 0.5, Second: true},
}

var parCases = map[string]parCase{
	"a step":      twoTasks,
	"two steps":   twoTasks.with(func(c *parCase) { c.steps.Steps = 2 }),
	"dropout":     twoTasks.with(func(c *parCase) { c.steps.Context, c.steps.Relation = 0.3, 0.3 }),
	"all kept":    twoTasks.with(func(c *parCase) { c.k = 9 }),
	"first order": twoTasks.with(func(c *parCase) { c.steps.Second = false }),
	"one of each class": {
		[]uint8{1, 0}, []uint8{0, 1}, []int64{2}, 2, 3, 4, 1, PARSteps{Steps: 1, Rate: 0.5, Second: true},
	},
}

func (c parCase) context(l *lab, h *PAR) {
	h.Attention = l.linear("attention", c.d, 3*c.d, false, 0).W
	h.Project = [2]Linear{l.linear("project.0", 2*c.d, c.w, true, Leaky), l.linear("project.1", c.w, c.w, true, 0)}
}

func (c parCase) classifier(l *lab, h *PAR) {
	h.Classify = [2]Linear{l.linear("classify.0", c.w, c.w, true, Leaky), l.linear("classify.1", c.w, 2, true, 0)}
}

// head makes leaves of the parameters.
func (c parCase) head(l *lab) *PAR {
	h := new(PAR)
	c.context(l, h)
	c.classifier(l, h)
	for i := range 2 {
		name := fmt.Sprintf("layer %d ", i)
		h.Layers = append(h.Layers, Relation{
			Similarity: [3]Linear{
				l.linear(name+"similarity.0", c.w, 2*c.w, false, 0), l.linear(name+"similarity.1", 2*c.w, c.w, false, 0),
				l.linear(name+"similarity.2", c.w, 1, true, 0),
			},
			Node: []Linear{l.linear(name+"node", 2*c.w, c.w, false, 0)},
		})
	}
	return h
}

func (c parCase) vectors(l *lab) (support, query *ts.Tensor) {
	return l.leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))
}

func (c parCase) loss(l *lab) *ts.Tensor {
	h := c.head(l)
	support, query := c.vectors(l)
	return l.must(h.Loss(PARTasks{
		Support: support, Query: query, SupportLabel: l.bytes(c.labels...), QueryLabel: l.bytes(c.asked...),
		N: c.n, Queries: c.queries, Neighbours: c.k,
	}, c.steps, Mode{Training: true, Key: 5}))
}

// adapted returns the classifier of the first task's head after the steps.
func (c parCase) adapted(l *lab) *ts.Tensor {
	h := c.head(l)
	support := l.leaf("support", 0, 1, int64(c.n), int64(c.d))
	a, err := h.Adapt(support, l.bytes(c.labels[:c.n]...), nil, c.k, c.steps, false)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(append(l.made, a.phi()...), a.Entropy, a.Adjacency)
	return a.Classify[1].W
}

func (c parCase) nodes(l *lab) *ts.Tensor {
	h := new(PAR)
	c.context(l, h)
	support, query := l.leaf("support", 0, 1, int64(c.n), int64(c.d)), l.leaf("query", 0, 1, 3, int64(c.d))
	nodes, attended, err := h.Nodes(support, l.bytes(c.labels[:c.n]...), query)
	l.must(attended, err)
	return l.must(nodes, err)
}

func (c parCase) logits(l *lab) *ts.Tensor {
	h := new(PAR)
	c.classifier(l, h)
	return l.must(h.Logits(l.leaf("nodes", 0, 1, 3, int64(c.n+1), int64(c.w)), true))
}

// TestPARGradients compares the second-order gradients with differences of the loss after
// the steps.
func TestPARGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range parCases {
		if c.steps.Second {
			run(t, name, func(t *testing.T) { checkSlopes(t, 7, c.loss) })
		}
	}
}

// checkSlopes is like checkGradients for a calculation with many leaves, along two
// directions of all of them at once.
func checkSlopes(t *testing.T, seed uint64, f calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := newLab(t, seed, true)
	defer base.drop()
	output := f(base)
	if err := Backward(output); err != nil {
		t.Fatal(err)
	}
	for which := range uint64(2) {
		var got float64
		for _, name := range base.names {
			g, err := Gradient(base.leaves[name])
			if err != nil || g == nil {
				t.Fatalf("%s: gradient %v, %v", name, g, err)
			}
			got += dot(g, direction(seed, which, name, len(g)))
		}
		at := func(by float64) float64 {
			l := newLab(t, seed, true)
			defer l.drop()
			l.edit = func(name string, v []float64) { copy(v, sum(v, times(by, direction(seed, which, name, len(v))))) }
			return l.read(f(l))[0]
		}
		if want := (at(step) - at(-step)) / (2 * step); !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
			t.Errorf("seed %d: the gradient along direction %d is %.10g, by differences %.10g", seed, which, got, want)
		}
	}
}

// TestPARFirstOrder: the loss is the same for both orders, its gradient is not.
func TestPARFirstOrder(t *testing.T) {
	run(t, "orders", func(t *testing.T) {
		gradient := func(c parCase) (loss float64, g []float64) {
			l := newLab(t, 3, true)
			defer l.drop()
			out := c.loss(l)
			if err := Backward(out); err != nil {
				t.Fatal(err)
			}
			g, err := Gradient(l.leaves["support"])
			if err != nil {
				t.Fatal(err)
			}
			return l.read(out)[0], g
		}
		first, g := gradient(parCases["first order"])
		second, h := gradient(parCases["a step"])
		if first != second {
			t.Errorf("the loss is %v of the first order and %v of the second", first, second)
		}
		if apart := sum(g, times(-1, h)); dot(apart, apart) < 1e-12*dot(g, g) {
			t.Error("the gradients of the two orders are equal")
		}
	})
}

// TestPARInParts: a task with queries calculated one by one has the loss and the
// gradients of one with queries calculated together.
func TestPARInParts(t *testing.T) {
	for _, name := range []string{"a step", "two steps", "first order"} {
		c := parCases[name]
		run(t, name, func(t *testing.T) {
			outcome := func(c parCase) map[string][]float64 {
				l := newLab(t, 3, true)
				defer l.drop()
				loss := c.loss(l)
				if err := Backward(loss); err != nil {
					t.Fatal(err)
				}
				all := map[string][]float64{"loss": l.read(loss)}
				for name, leaf := range l.leaves {
					g, err := Gradient(leaf)
					if err != nil {
						t.Fatal(err)
					}
					all["gradient of "+name] = g
				}
				return all
			}
			want := outcome(c)
			for name, got := range outcome(c.with(func(c *parCase) { c.steps.AtOnce = 1 })) {
				near(t, name, got, want[name], 1e-13)
			}
		})
	}
}

// TestPARAlone: without partners there is a single graph, and its step differs from the
// step with partners.
func TestPARAlone(t *testing.T) {
	c := twoTasks
	run(t, "alone", func(t *testing.T) {
		l := newLab(t, 3, true)
		defer l.drop()
		h := c.head(l)
		support := l.leaf("support", 0, 1, int64(c.n), int64(c.d))
		step := func(partners *ts.Tensor, averaged bool) []float64 {
			a, err := h.Adapt(support, l.bytes(c.labels[:c.n]...), partners, c.k, c.steps, averaged)
			if err != nil {
				t.Fatal(err)
			}
			l.made = append(append(l.made, a.phi()...), a.Entropy, a.Adjacency)
			return l.read(a.Project[0].W)
		}
		alone, twice := step(nil, false), step(nil, true)
		near(t, "the mean of one graph", twice, alone, 1e-14)
		if with := step(l.leaf("partners", 0, 1, 2, int64(c.d)), false); dot(sum(with, times(-1, alone)), sum(with, times(-1, alone))) == 0 {
			t.Error("partners change nothing")
		}
		if before := l.values["project.0.W"]; dot(sum(before, times(-1, alone)), sum(before, times(-1, alone))) == 0 {
			t.Error("the step changes nothing")
		}
	})
}

// TestErrorsOfPAR breaks one input at a time.
func TestErrorsOfPAR(t *testing.T) {
	locked(t, 2)
	for words, change := range map[string]func(*parCase){
		"fewer than two support molecules": func(c *parCase) { c.n = 1 },
		"support has shape [8, 3], not":    func(c *parCase) { c.n = 5 },
		"queries has shape [5, 3], not":    func(c *parCase) { c.queries = []int64{3, 3} },
		"a task has no queries":            func(c *parCase) { c.queries = []int64{5, 0} },
		"no neighbours":                    func(c *parCase) { c.k = 0 },
	} {
		c := twoTasks.with(change)
		l := newLab(t, 1, true)
		h := c.head(l)
		support, query := c.vectors(l)
		_, err := h.Loss(PARTasks{
			Support: support, Query: query, SupportLabel: l.bytes(c.labels...), QueryLabel: l.bytes(c.asked...),
			N: c.n, Queries: c.queries, Neighbours: c.k,
		}, c.steps, Mode{})
		fails(t, err, "par loss: ", words)
		l.drop()
	}
}
