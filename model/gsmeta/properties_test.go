package gsmeta

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// propertyCase describes a task with graphs, by the known [N][T] and asked [M][T] types of their edges.
type propertyCase struct {
	known, asked        [][]uint8
	d, c, shots, layers int
	mode                ops.Mode
	before, within      float64 // dropout
}

var trainingMode = ops.Mode{Training: true, Key: 3}

var propertyCases = map[string]propertyCase{
	"training":           {fourKnown, threeAsked, 3, 2, 3, 2, trainingMode, 0, 0},
	"running averages":   {fourKnown, threeAsked, 3, 2, 3, 2, ops.Mode{}, 0, 0},
	"support alone":      {fourKnown, nil, 3, 2, 2, 2, trainingMode, 0, 0},
	"support, averages":  {fourKnown, nil, 3, 2, 2, 1, ops.Mode{}, 0, 0},
	"the target alone":   {[][]uint8{{1}, {2}, {2}}, [][]uint8{{3}, {3}}, 2, 2, 1, 1, trainingMode, 0, 0},
	"one of each class":  {[][]uint8{{1, 2}, {2, 3}}, [][]uint8{{0, 1}, {9, 3}}, 2, 3, 1, 2, trainingMode, 0, 0},
	"two, support alone": {[][]uint8{{1, 2}, {2, 3}}, nil, 2, 3, 1, 2, ops.Mode{}, 0, 0},
}

var (
	fourKnown  = [][]uint8{{1, 2, 3}, {1, 3, 3}, {2, 1, 2}, {2, 2, 1}}
	threeAsked = [][]uint8{{1, 3, 3}, {2, 1, 2}, {3, 2, 1}}
)

func (c propertyCase) graphs(l *opstest.Lab) (*propertyGraphs, *Classifier) {
	g := &propertyGraphs{before: c.before, dropout: c.within}
	read := &Classifier{hidden: l.Normed("hidden", 2*c.d, c.c)}
	read.bias = l.Leaf("hidden.b", 0, 0.3, int64(c.c))
	read.last = l.Linear("last", c.c, 1, true, 0)
	for i := range c.layers {
		name := fmt.Sprint(i)
		p := propertyLayer{
			pair: [2]ops.NormedLinear{l.Normed(name+".pair.0", c.d, c.c+1), l.Normed(name+".pair.1", c.c+1, c.c)},
			last: l.Linear(name+".pair.2", c.c, 1, true, 0),
			root: l.Linear(name+".root", c.d, c.d, true, 0), near: l.Linear(name+".near", c.d, c.d, true, 0),
			types: l.Leaf(name+".types", 0, 1, 4, int64(c.d)),
		}
		p.norm = l.Norm(name+".norm", c.d)
		g.layers = append(g.layers, p)
	}
	return g, read
}

func types(l *opstest.Lab, of [][]uint8) *ts.Tensor {
	return l.Must(ops.New(slices.Concat(of...), []int64{int64(len(of)), int64(len(of[0]))}, opstest.Device))
}

// run returns the logits of the active class, followed by the vector.
func (c propertyCase) run(l *opstest.Lab) *ts.Tensor {
	g, read := c.graphs(l)
	d := int64(c.d)
	t := propertyTask{
		support: l.Leaf("support", 0, 1, int64(len(c.known)), d), target: l.Leaf("target", 0, 1, 1, d),
		known: types(l, c.known), shots: c.shots,
	}
	if T := int64(len(c.known[0])); T > 1 {
		t.others = l.Leaf("others", 0, 1, T-1, d)
	}
	if c.asked != nil {
		t.query, t.asked = l.Leaf("query", 0, 1, int64(len(c.asked)), d), types(l, c.asked)
	}
	states, vector, err := g.of(t, c.mode)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, states, vector)
	logits := l.Must(read.logits(states, c.mode.Training))
	active := l.Must(l.Must(logits.Select(2, 1, false)).Flatten(0, 1, false))
	return l.Must(ts.Cat([]*ts.Tensor{active, vector}, 0))
}

// sent is an edge of a graph.
type sent struct {
	from, to, kind int
	weight         float64
}

func TestPropertyGraphsByHand(t *testing.T) {
	for name, c := range propertyCases {
		opstest.RunBoth(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestQueriesOfPropertyGraphs: in evaluation a query does not depend on the other queries,
// also if graphs are processed in parts.
func TestQueriesOfPropertyGraphs(t *testing.T) {
	opstest.Locked(t, 2)
	const M = 3000
	c := propertyCase{known: fourKnown, d: 2, c: 2, shots: 3, layers: 2}
	for m := range M {
		c.asked = append(c.asked, threeAsked[m%3])
	}
	l := opstest.New(t, 5, true)
	defer l.Drop()
	all := l.Read(c.run(l))[:M]
	for _, m := range []int{0, 1, 1499, M - 1} {
		one := c
		one.asked = c.asked[m : m+1]
		alone := opstest.New(t, 5, true)
		alone.Edit = func(name string, v []float64) {
			if name == "query" {
				copy(v, l.Values["query"][m*c.d:(m+1)*c.d])
			}
		}
		if got := alone.Read(one.run(alone))[0]; math.Abs(got-all[m]) > 1e-12 {
			t.Errorf("query %d: %v alone, %v among %d", m, got, all[m], M)
		}
		alone.Drop()
	}
}

// TestPropertyGraphsDrop: in training, dropout of each of the two kinds changes the vectors,
// equally for equal keys. In evaluation it changes nothing.
func TestPropertyGraphsDrop(t *testing.T) {
	opstest.Locked(t, 2)
	values := func(before, within float64, key uint64, training bool) []float64 {
		c := propertyCase{fourKnown, threeAsked, 3, 4, 3, 2, ops.Mode{Training: training, Key: key}, before, within}
		l := opstest.New(t, 6, true)
		defer l.Drop()
		return l.Read(c.run(l))
	}
	for _, rates := range [][2]float64{{0.5, 0}, {0, 0.5}} {
		v := values(rates[0], rates[1], 1, true)
		if !slices.Equal(v, values(rates[0], rates[1], 1, true)) {
			t.Errorf("rates %v: one key gives two masks", rates)
		}
		if slices.Equal(v, values(rates[0], rates[1], 2, true)) || slices.Equal(v, values(0, 0, 1, true)) {
			t.Errorf("rates %v: nothing is dropped, or always the same", rates)
		}
		if !slices.Equal(values(rates[0], rates[1], 1, false), values(0, 0, 1, false)) {
			t.Errorf("rates %v: something is dropped in evaluation", rates)
		}
	}
}

// TestErrorsOfPropertyGraphs breaks one input at a time.
func TestErrorsOfPropertyGraphs(t *testing.T) {
	opstest.Locked(t, 2)
	for words, change := range map[string]func(*propertyTask, *opstest.Lab){
		"fewer than two support molecules": func(p *propertyTask, l *opstest.Lab) {
			p.support, p.known = l.Leaf("s", 0, 1, 1, 3), types(l, fourKnown[:1])
		},
		"properties has shape [2, 2], not [any, 3]":          func(p *propertyTask, l *opstest.Lab) { p.others = l.Leaf("o", 0, 1, 2, 2) },
		"target has shape [2, 3], not [1, 3]":                func(p *propertyTask, l *opstest.Lab) { p.target = l.Leaf("t", 0, 1, 2, 3) },
		"types of the support has shape [3, 3]":              func(p *propertyTask, l *opstest.Lab) { p.known = types(l, threeAsked) },
		"types of the queries has shape [4, 3]":              func(p *propertyTask, l *opstest.Lab) { p.asked = types(l, fourKnown) },
		"queries has shape [3, 2], not [any, 3]":             func(p *propertyTask, l *opstest.Lab) { p.query = l.Leaf("q", 0, 1, 3, 2) },
		"types of the queries is missing; its shape must be": func(p *propertyTask, _ *opstest.Lab) { p.asked = nil },
	} {
		l := opstest.New(t, 1, true)
		c := propertyCases["training"]
		p := propertyTask{
			support: l.Leaf("support", 0, 1, 4, 3), query: l.Leaf("query", 0, 1, 3, 3), target: l.Leaf("target", 0, 1, 1, 3),
			others: l.Leaf("others", 0, 1, 2, 3), known: types(l, c.known), asked: types(l, c.asked), shots: 2,
		}
		change(&p, l)
		g, _ := c.graphs(l)
		_, _, err := g.of(p, ops.Mode{})
		opstest.Fails(t, err, "property graph: ", words)
		l.Drop()
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range propertyCases {
		all.Add("property graph", name, 6, true, c.run)
		all.Add("property classifier", name, 6, true, c.run)
	}
	all.Check(t)
}
