package ops_test

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// matchCase describes queries of tasks with n support molecules of width d.
type matchCase struct {
	labels []uint8
	task   []int32
	n, d   int
	match  ops.Match
	there  []uint8
	still  bool // the support is not refined
}

var (
	fourLabels = []uint8{0, 0, 1, 1}
	threeTasks = []uint8{0, 1, 0, 1, 1, 0, 0, 1, 1}
	matchCases = map[string]matchCase{
		"softmax":         {fourLabels, []int32{0, 0, 0}, 4, 5, ops.Match{}, nil, false},
		"softmax, tasks":  {threeTasks, []int32{2, 0, 1, 1}, 3, 4, ops.Match{}, nil, false},
		"mean":            {fourLabels, []int32{0, 0}, 4, 5, ops.Match{Form: ops.MatchMean, Beta: 0.5}, nil, false},
		"mean, tasks":     {threeTasks, []int32{2, 0, 1, 1}, 3, 4, ops.Match{Form: ops.MatchMean, Beta: 2}, nil, false},
		"mean of cosines": {threeTasks, []int32{2, 0, 1, 1}, 3, 4, ops.Match{Form: ops.MatchMean, Beta: 2, Cosine: true}, nil, false},
		"refined":         {threeTasks, []int32{2, 0, 1, 1}, 3, 3, ops.Match{Steps: 2}, nil, false},
		"refined, mean": {fourLabels, []int32{0, 0}, 4, 3, ops.Match{Form: ops.MatchMean, Beta: 1, Steps: 3, Gates: ops.GatesSigmoid}, nil,
			false},
		"queries refined": {threeTasks, []int32{0, 2}, 3, 3, ops.Match{Steps: 2, Gates: ops.GatesSigmoid}, nil, true},
		"filled up": {threeTasks, []int32{0, 2}, 3, 3, ops.Match{Form: ops.MatchMean, Beta: 1, Steps: 2, Gates: ops.GatesSigmoid},
			[]uint8{1, 1, 0, 1, 1, 1, 0, 1, 1}, false},
		"filled up, attends": {threeTasks, []int32{0, 2}, 3, 3, ops.Match{Form: ops.MatchMean, Beta: 1, Steps: 2, Gates: ops.GatesSigmoid,
			Attend: true}, []uint8{1, 1, 0, 1, 1, 1, 0, 1, 1}, false},
	}
)

// lstm makes a cell of width d.
func lstm(l *opstest.Lab, name string, d int) ops.LSTM {
	w := int64(d)
	return ops.LSTM{W: l.Leaf(name+".w", 0, 0.5, 4*w, 2*w), U: l.Leaf(name+".u", 0, 0.5, 4*w, w), B: l.Leaf(name+".b", 0, 0.5, 4*w)}
}

func (c matchCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	m := c.match
	if m.Steps > 0 {
		if !c.still {
			m.Support = lstm(l, "support cell", c.d)
		}
		m.Query = lstm(l, "query cell", c.d)
	}
	if c.there != nil {
		m.There = l.Bytes(c.there...)
	}
	return l.Must(m.Logits(x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n))
}

// byHand computes a match without refinement, which the published fixture covers.
func (c matchCase) byHand(l *opstest.Lab) (logits []float64) {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	unit := func(v []float64) []float64 { return opstest.Times(1/math.Sqrt(opstest.Dot(v, v)), v) }
	scaled := func(v []float64) []float64 {
		mean := 0.0
		for _, e := range v {
			mean += e / float64(len(v))
		}
		apart := make([]float64, len(v))
		for i := range v {
			apart[i] = v[i] - mean
		}
		return opstest.Times(1/math.Sqrt(opstest.Dot(apart, apart)/float64(len(v))+1e-5), apart)
	}
	for q, task := range c.task {
		var sum, all float64
		var count, near [2]float64
		for i := range c.n {
			s, y := support[int(task)*c.n+i], c.labels[int(task)*c.n+i]
			if c.match.Form == ops.MatchSoftmax {
				e := math.Exp(opstest.Dot(unit(x[q]), unit(s)))
				all, sum = all+e, sum+e*float64(y)
				continue
			}
			a, b := scaled(x[q]), scaled(s)
			if c.match.Cosine {
				a, b = unit(a), unit(b)
			}
			count[y], near[y] = count[y]+1, near[y]+opstest.Dot(a, b)
		}
		if c.match.Form == ops.MatchSoftmax {
			logits = append(logits, math.Log(1-sum/all), math.Log(sum/all))
			continue
		}
		logits = append(logits, 0, c.match.Beta*(near[1]/(2*count[1]+1e-8)-near[0]/(2*count[0]+1e-8)))
	}
	return logits
}

func TestMatch(t *testing.T) {
	for name, c := range matchCases {
		if c.match.Steps == 0 {
			opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
		}
	}
}

// TestMatchLeavesOut: omitted pairs count as 0 in sums with the same divisor. So the mean of
// the logits over many keys, rescaled, is that of the logits without omission.
func TestMatchLeavesOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	opstest.Locked(t, 2)
	c := matchCases["mean, tasks"]
	rows, tasks, keys := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int32{0, 2}, 500
	want := c.values(t, rows, tasks)
	c.match.Leave = 0.3
	mean := make([]float64, len(want))
	for key := range keys {
		c.match.Key = uint64(key)
		mean = opstest.Sum(mean, opstest.Times(1/(0.7*float64(keys)), c.values(t, rows, tasks)))
	}
	// A logit is a sum of 3 products of about 1, with 0.7 of them kept. Its mean over 500
	// keys is within 5 standard deviations, √(0.3/0.7)·1.3/√500 each.
	opstest.Near(t, "the mean", mean, want, 0.15)
	c.match.Key = 1
	if one := c.values(t, rows, tasks); one[1] == want[1] && one[3] == want[3] {
		t.Error("no pair is omitted")
	}
}

// TestPadding: a support set gives the same logits with and without padding.
func TestPadding(t *testing.T) {
	opstest.Locked(t, 2)
	c := matchCases["filled up"]
	filled := c.values(t, []int32{0, 1, 2, 6, 7, 8}, []int32{0, 1})
	c.n, c.there = 2, nil
	without := c.values(t, []int32{0, 1, 7, 8}, []int32{0, 1})
	for i := range without {
		if math.Abs(filled[i]-without[i]) > 1e-12 {
			t.Errorf("logit %d is %v with padding, %v without", i, filled[i], without[i])
		}
	}
}

// values returns the logits of queries of the given tasks, with the support molecules rows.
func (c matchCase) values(t *testing.T, rows, task []int32) []float64 {
	t.Helper()
	l := opstest.New(t, 3, true)
	defer l.Drop()
	all := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d))
	x := l.Leaf("x", 0, 1, int64(len(task)), int64(c.d))
	m := c.match
	m.Support, m.Query = lstm(l, "support cell", c.d), lstm(l, "query cell", c.d)
	var labels, there []uint8
	for _, r := range rows {
		labels = append(labels, c.labels[r])
		if c.there != nil {
			there = append(there, c.there[r])
		}
	}
	if c.there != nil {
		m.There = l.Bytes(there...)
	}
	logits := l.Must(m.Logits(x, l.Must(ops.Rows(all, l.Ints(rows...))), l.Bytes(labels...), l.Ints(task...), c.n))
	v, err := ops.ReadAs[float64](logits)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestErrorsOfMatch breaks one input at a time.
func TestErrorsOfMatch(t *testing.T) {
	opstest.Locked(t, 2)
	for words, c := range map[string]struct {
		x, support, there int64
		labels            []uint8
		n                 int
		w                 int64
	}{
		"no support molecules":                    {1, 2, 2, []uint8{0, 1}, 0, 6},
		"queries has shape [2, 3], not [1, any]":  {2, 2, 2, []uint8{0, 1}, 2, 6},
		"labels has shape [3], not [2]":           {1, 2, 2, []uint8{0, 1, 1}, 2, 6},
		"that are present has shape [3], not [2]": {1, 2, 3, []uint8{0, 1}, 2, 6},
		"W has shape [12, 5], not [12, 6]":        {1, 2, 2, []uint8{0, 1}, 2, 5},
	} {
		l := opstest.New(t, 1, true)
		cell := ops.LSTM{W: l.Leaf("w", 0, 1, 12, c.w), U: l.Leaf("u", 0, 1, 12, 3), B: l.Leaf("b", 0, 1, 12)}
		m := ops.Match{Steps: 1, Query: cell, Support: cell, There: l.Bytes(make([]uint8, c.there)...)}
		_, err := m.Logits(l.Leaf("x", 0, 1, c.x, 3), l.Leaf("support", 0, 1, c.support, 3), l.Bytes(c.labels...), l.Ints(0), c.n)
		opstest.Fails(t, err, "match with the support: ", words)
		l.Drop()
	}
}
