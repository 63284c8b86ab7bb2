package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// propertyCase describes a task with graphs, by the known [N][T] and asked [M][T] types of their edges.
type propertyCase struct {
	known, asked        [][]uint8
	d, c, shots, layers int
	mode                Mode
	before, within      float64 // dropout
}

var trainingMode = Mode{Training: true, Key: 3}

var propertyCases = map[string]propertyCase{
	"training":           {fourKnown, threeAsked, 3, 2, 3, 2, trainingMode, 0, 0},
	"running averages":   {fourKnown, threeAsked, 3, 2, 3, 2, Mode{}, 0, 0},
	"support alone":      {fourKnown, nil, 3, 2, 2, 2, trainingMode, 0, 0},
	"support, averages":  {fourKnown, nil, 3, 2, 2, 1, Mode{}, 0, 0},
	"the target alone":   {[][]uint8{{1}, {2}, {2}}, [][]uint8{{3}, {3}}, 2, 2, 1, 1, trainingMode, 0, 0},
	"one of each class":  {[][]uint8{{1, 2}, {2, 3}}, [][]uint8{{0, 1}, {9, 3}}, 2, 3, 1, 2, trainingMode, 0, 0},
	"two, support alone": {[][]uint8{{1, 2}, {2, 3}}, nil, 2, 3, 1, 2, Mode{}, 0, 0},
}

var (
	fourKnown  = [][]uint8{{1, 2, 3}, {1, 3, 3}, {2, 1, 2}, {2, 2, 1}}
	threeAsked = [][]uint8{{1, 3, 3}, {2, 1, 2}, {3, 2, 1}}
)

func (c propertyCase) graphs(l *lab) (*PropertyGraphs, *PropertyClassifier) {
	g := &PropertyGraphs{Before: c.before, Dropout: c.within}
	read := &PropertyClassifier{Hidden: l.normed("hidden", 2*c.d, c.c)}
	read.Bias = l.leaf("hidden.b", 0, 0.3, int64(c.c))
	read.Last = l.linear("last", c.c, 1, true, 0)
	for i := range c.layers {
		name := fmt.Sprint(i)
		p := PropertyLayer{
			Pair: [2]NormedLinear{l.normed(name+".pair.0", c.d, c.c+1), l.normed(name+".pair.1", c.c+1, c.c)},
			Last: l.linear(name+".pair.2", c.c, 1, true, 0),
			Root: l.linear(name+".root", c.d, c.d, true, 0), Near: l.linear(name+".near", c.d, c.d, true, 0),
			Types: l.leaf(name+".types", 0, 1, 4, int64(c.d)),
		}
		p.Norm = l.norm(name+".norm", c.d)
		g.Layers = append(g.Layers, p)
	}
	return g, read
}

func (l *lab) types(of [][]uint8) *ts.Tensor {
	return l.must(New(slices.Concat(of...), []int64{int64(len(of)), int64(len(of[0]))}, where))
}

// run returns the logits of the active class, followed by the vector.
func (c propertyCase) run(l *lab) *ts.Tensor {
	g, read := c.graphs(l)
	d := int64(c.d)
	t := PropertyTask{
		Support: l.leaf("support", 0, 1, int64(len(c.known)), d), Target: l.leaf("target", 0, 1, 1, d),
		Known: l.types(c.known), Shots: c.shots,
	}
	if T := int64(len(c.known[0])); T > 1 {
		t.Others = l.leaf("others", 0, 1, T-1, d)
	}
	if c.asked != nil {
		t.Query, t.Asked = l.leaf("query", 0, 1, int64(len(c.asked)), d), l.types(c.asked)
	}
	states, vector, err := g.Of(t, c.mode)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, states, vector)
	logits := l.must(read.Of(states, c.mode.Training))
	active := l.must(l.must(logits.Select(2, 1, false)).Flatten(0, 1, false))
	return l.must(ts.Cat([]*ts.Tensor{active, vector}, 0))
}

// sent is an edge of a graph.
type sent struct {
	from, to, kind int
	weight         float64
}

func TestPropertyGraphs(t *testing.T) {
	for name, c := range propertyCases {
		runBoth(t, name, func(t *testing.T) { checkAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestQueriesOfPropertyGraphs: in evaluation a query does not depend on the other queries,
// also if graphs are processed in parts.
func TestQueriesOfPropertyGraphs(t *testing.T) {
	locked(t, 2)
	const M = 3000
	c := propertyCase{known: fourKnown, d: 2, c: 2, shots: 3, layers: 2}
	for m := range M {
		c.asked = append(c.asked, threeAsked[m%3])
	}
	l := newLab(t, 5, true)
	defer l.drop()
	all := l.read(c.run(l))[:M]
	for _, m := range []int{0, 1, 1499, M - 1} {
		one := c
		one.asked = c.asked[m : m+1]
		alone := newLab(t, 5, true)
		alone.edit = func(name string, v []float64) {
			if name == "query" {
				copy(v, l.values["query"][m*c.d:(m+1)*c.d])
			}
		}
		if got := alone.read(one.run(alone))[0]; math.Abs(got-all[m]) > 1e-12 {
			t.Errorf("query %d: %v alone, %v among %d", m, got, all[m], M)
		}
		alone.drop()
	}
}

// TestPropertyGraphsDrop: in training, dropout of each of the two kinds changes the vectors,
// equally for equal keys. In evaluation it changes nothing.
func TestPropertyGraphsDrop(t *testing.T) {
	locked(t, 2)
	values := func(before, within float64, key uint64, training bool) []float64 {
		c := propertyCase{fourKnown, threeAsked, 3, 4, 3, 2, Mode{Training: training, Key: key}, before, within}
		l := newLab(t, 6, true)
		defer l.drop()
		return l.read(c.run(l))
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
	locked(t, 2)
	for words, change := range map[string]func(*PropertyTask, *lab){
		"fewer than two support molecules":                   func(p *PropertyTask, l *lab) { p.Support, p.Known = l.leaf("s", 0, 1, 1, 3), l.types(fourKnown[:1]) },
		"properties has shape [2, 2], not [any, 3]":          func(p *PropertyTask, l *lab) { p.Others = l.leaf("o", 0, 1, 2, 2) },
		"target has shape [2, 3], not [1, 3]":                func(p *PropertyTask, l *lab) { p.Target = l.leaf("t", 0, 1, 2, 3) },
		"types of the support has shape [3, 3]":              func(p *PropertyTask, l *lab) { p.Known = l.types(threeAsked) },
		"types of the queries has shape [4, 3]":              func(p *PropertyTask, l *lab) { p.Asked = l.types(fourKnown) },
		"queries has shape [3, 2], not [any, 3]":             func(p *PropertyTask, l *lab) { p.Query = l.leaf("q", 0, 1, 3, 2) },
		"types of the queries is missing; its shape must be": func(p *PropertyTask, _ *lab) { p.Asked = nil },
	} {
		l := newLab(t, 1, true)
		c := propertyCases["training"]
		p := PropertyTask{
			Support: l.leaf("support", 0, 1, 4, 3), Query: l.leaf("query", 0, 1, 3, 3), Target: l.leaf("target", 0, 1, 1, 3),
			Others: l.leaf("others", 0, 1, 2, 3), Known: l.types(c.known), Asked: l.types(c.asked), Shots: 2,
		}
		change(&p, l)
		g, _ := c.graphs(l)
		_, _, err := g.Of(p, Mode{})
		fails(t, err, "property graph: ", words)
		l.drop()
	}
}
