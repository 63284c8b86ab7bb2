package par

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// parCase describes tasks of n support molecules with vectors of width d, and a head of width w.
type parCase struct {
	labels, asked []uint8
	queries       []int64 // of each task
	n, d, w, k    int
	steps         steps
}

func (c parCase) with(change func(*parCase)) parCase {
	change(&c)
	return c
}

var twoTasks = parCase{
	[]uint8{0, 0, 1, 1, 0, 1, 0, 1}, []uint8{0, 1, 1, 0, 1}, []int64{3, 2}, 4, 3, 4, 2, steps{steps: 1, rate: 0.5, second: true},
}

var parCases = map[string]parCase{
	"a step":      twoTasks,
	"two steps":   twoTasks.with(func(c *parCase) { c.steps.steps = 2 }),
	"dropout":     twoTasks.with(func(c *parCase) { c.steps.context, c.steps.relation = 0.3, 0.3 }),
	"all kept":    twoTasks.with(func(c *parCase) { c.k = 9 }),
	"first order": twoTasks.with(func(c *parCase) { c.steps.second = false }),
	"one of each class": {
		[]uint8{1, 0}, []uint8{0, 1}, []int64{2}, 2, 3, 4, 1, steps{steps: 1, rate: 0.5, second: true},
	},
}

func (c parCase) context(l *opstest.Lab, h *head) {
	h.attention = l.Linear("attention", c.d, 3*c.d, false, 0).W
	h.project = [2]ops.Linear{l.Linear("project.0", 2*c.d, c.w, true, ops.Leaky), l.Linear("project.1", c.w, c.w, true, 0)}
}

func (c parCase) classifier(l *opstest.Lab, h *head) {
	h.classify = [2]ops.Linear{l.Linear("classify.0", c.w, c.w, true, ops.Leaky), l.Linear("classify.1", c.w, 2, true, 0)}
}

// head makes leaves of the parameters.
func (c parCase) head(l *opstest.Lab) *head {
	h := new(head)
	c.context(l, h)
	c.classifier(l, h)
	for i := range 2 {
		name := fmt.Sprintf("layer %d ", i)
		h.layers = append(h.layers, ops.Relation{
			Similarity: [3]ops.Linear{
				l.Linear(name+"similarity.0", c.w, 2*c.w, false, 0), l.Linear(name+"similarity.1", 2*c.w, c.w, false, 0),
				l.Linear(name+"similarity.2", c.w, 1, true, 0),
			},
			Node: []ops.Linear{l.Linear(name+"node", 2*c.w, c.w, false, 0)},
		})
	}
	return h
}

func (c parCase) vectors(l *opstest.Lab) (support, query *ts.Tensor) {
	return l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))
}

func (c parCase) loss(l *opstest.Lab) *ts.Tensor {
	h := c.head(l)
	support, query := c.vectors(l)
	return l.Must(h.loss(tasks{
		support: support, query: query, supportLabel: l.Bytes(c.labels...), queryLabel: l.Bytes(c.asked...),
		n: c.n, queries: c.queries, neighbours: c.k,
	}, c.steps, ops.Mode{Training: true, Key: 5}))
}

// adapted returns the classifier of the first task's head after the steps.
func (c parCase) adapted(l *opstest.Lab) *ts.Tensor {
	h := c.head(l)
	support := l.Leaf("support", 0, 1, int64(c.n), int64(c.d))
	a, err := h.adapt(support, l.Bytes(c.labels[:c.n]...), nil, c.k, c.steps, false)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(append(l.Made, a.phi()...), a.entropy, a.adjacency)
	return a.classify[1].W
}

func (c parCase) nodes(l *opstest.Lab) *ts.Tensor {
	h := new(head)
	c.context(l, h)
	support, query := l.Leaf("support", 0, 1, int64(c.n), int64(c.d)), l.Leaf("query", 0, 1, 3, int64(c.d))
	nodes, attended, err := h.nodes(support, l.Bytes(c.labels[:c.n]...), query)
	l.Must(attended, err)
	return l.Must(nodes, err)
}

func (c parCase) logits(l *opstest.Lab) *ts.Tensor {
	h := new(head)
	c.classifier(l, h)
	return l.Must(h.logits(l.Leaf("nodes", 0, 1, 3, int64(c.n+1), int64(c.w)), true))
}

// TestPARGradients compares the second-order gradients with differences of the loss after
// the steps.
func TestPARGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range parCases {
		if c.steps.second {
			opstest.Run(t, name, func(t *testing.T) { checkSlopes(t, 7, c.loss) })
		}
	}
}

// checkSlopes is like checkGradients for a calculation with many leaves, along two
// directions of all of them at once.
func checkSlopes(t *testing.T, seed uint64, f opstest.Calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := opstest.New(t, seed, true)
	defer base.Drop()
	output := f(base)
	if err := ops.Backward(output); err != nil {
		t.Fatal(err)
	}
	for which := range uint64(2) {
		var got float64
		for _, name := range base.Names {
			g, err := ops.Gradient(base.Leaves[name])
			if err != nil || g == nil {
				t.Fatalf("%s: gradient %v, %v", name, g, err)
			}
			got += opstest.Dot(g, opstest.Direction(seed, which, name, len(g)))
		}
		at := func(by float64) float64 {
			l := opstest.New(t, seed, true)
			defer l.Drop()
			l.Edit = func(name string, v []float64) {
				copy(v, opstest.Sum(v, opstest.Times(by, opstest.Direction(seed, which, name, len(v)))))
			}
			return l.Read(f(l))[0]
		}
		if want := (at(step) - at(-step)) / (2 * step); !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
			t.Errorf("seed %d: the gradient along direction %d is %.10g, by differences %.10g", seed, which, got, want)
		}
	}
}

// TestPARFirstOrder: the loss is the same for both orders, its gradient is not.
func TestPARFirstOrder(t *testing.T) {
	opstest.Run(t, "orders", func(t *testing.T) {
		gradient := func(c parCase) (loss float64, g []float64) {
			l := opstest.New(t, 3, true)
			defer l.Drop()
			out := c.loss(l)
			if err := ops.Backward(out); err != nil {
				t.Fatal(err)
			}
			g, err := ops.Gradient(l.Leaves["support"])
			if err != nil {
				t.Fatal(err)
			}
			return l.Read(out)[0], g
		}
		first, g := gradient(parCases["first order"])
		second, h := gradient(parCases["a step"])
		if first != second {
			t.Errorf("the loss is %v of the first order and %v of the second", first, second)
		}
		if apart := opstest.Sum(g, opstest.Times(-1, h)); opstest.Dot(apart, apart) < 1e-12*opstest.Dot(g, g) {
			t.Error("the gradients of the two orders are equal")
		}
	})
}

// TestPARInParts: a task with queries calculated one by one has the loss and the
// gradients of one with queries calculated together.
func TestPARInParts(t *testing.T) {
	for _, name := range []string{"a step", "two steps", "first order"} {
		c := parCases[name]
		opstest.Run(t, name, func(t *testing.T) {
			outcome := func(c parCase) map[string][]float64 {
				l := opstest.New(t, 3, true)
				defer l.Drop()
				loss := c.loss(l)
				if err := ops.Backward(loss); err != nil {
					t.Fatal(err)
				}
				all := map[string][]float64{"loss": l.Read(loss)}
				for name, leaf := range l.Leaves {
					g, err := ops.Gradient(leaf)
					if err != nil {
						t.Fatal(err)
					}
					all["gradient of "+name] = g
				}
				return all
			}
			want := outcome(c)
			for name, got := range outcome(c.with(func(c *parCase) { c.steps.atOnce = 1 })) {
				opstest.Near(t, name, got, want[name], 1e-13)
			}
		})
	}
}

// TestPARAlone: without partners there is a single graph, and its step differs from the
// step with partners.
func TestPARAlone(t *testing.T) {
	c := twoTasks
	opstest.Run(t, "alone", func(t *testing.T) {
		l := opstest.New(t, 3, true)
		defer l.Drop()
		h := c.head(l)
		support := l.Leaf("support", 0, 1, int64(c.n), int64(c.d))
		step := func(partners *ts.Tensor, averaged bool) []float64 {
			a, err := h.adapt(support, l.Bytes(c.labels[:c.n]...), partners, c.k, c.steps, averaged)
			if err != nil {
				t.Fatal(err)
			}
			l.Made = append(append(l.Made, a.phi()...), a.entropy, a.adjacency)
			return l.Read(a.project[0].W)
		}
		alone, twice := step(nil, false), step(nil, true)
		opstest.Near(t, "the mean of one graph", twice, alone, 1e-14)
		if with := step(l.Leaf("partners", 0, 1, 2, int64(c.d)), false); opstest.Dot(opstest.Sum(with, opstest.Times(-1, alone)),
			opstest.Sum(with, opstest.Times(-1, alone))) == 0 {
			t.Error("partners change nothing")
		}
		if before := l.Values["project.0.W"]; opstest.Dot(opstest.Sum(before, opstest.Times(-1, alone)), opstest.Sum(before, opstest.Times(-1,
			alone))) == 0 {
			t.Error("the step changes nothing")
		}
	})
}

// TestErrorsOfPAR breaks one input at a time.
func TestErrorsOfPAR(t *testing.T) {
	opstest.Locked(t, 2)
	for words, change := range map[string]func(*parCase){
		"fewer than two support molecules": func(c *parCase) { c.n = 1 },
		"support has shape [8, 3], not":    func(c *parCase) { c.n = 5 },
		"queries has shape [5, 3], not":    func(c *parCase) { c.queries = []int64{3, 3} },
		"a task has no queries":            func(c *parCase) { c.queries = []int64{5, 0} },
		"no neighbours":                    func(c *parCase) { c.k = 0 },
	} {
		c := twoTasks.with(change)
		l := opstest.New(t, 1, true)
		h := c.head(l)
		support, query := c.vectors(l)
		_, err := h.loss(tasks{
			support: support, query: query, supportLabel: l.Bytes(c.labels...), queryLabel: l.Bytes(c.asked...),
			n: c.n, queries: c.queries, neighbours: c.k,
		}, c.steps, ops.Mode{})
		opstest.Fails(t, err, "par loss: ", words)
		l.Drop()
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range parCases {
		// Gradients through steps are compared with differences in TestPARGradients.
		all.Add("par loss", name, 2, false, c.loss)
		all.Add("par adaptation", name, 2, false, c.adapted)
		all.Add("par nodes", name, 2, true, c.nodes)
		all.Add("par logits", name, 2, true, c.logits)
	}
	all.Check(t)
}
