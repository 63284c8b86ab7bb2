package pretrain

import (
	"context"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// begin starts the second stage of GraphLoG after its local epochs: with prototypes, and
// with Adam's moments reset to zero.
func (t *graphLoG) begin(ctx context.Context, r *run) error {
	p := t.prototypes
	if p.there[0] == nil {
		if err := p.read(); err != nil {
			return err
		}
	}
	if p.begun || r.step < localEpochs*r.perEpoch() {
		return nil
	}
	finest, err := p.read64(0)
	if err != nil {
		return err
	}
	members := make([]int, perLevel)
	for range startPasses {
		for at := 0; at < len(r.learn); at += r.Batch {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // the run stops, and repeats this when it is resumed
			}
			y, err := t.project(r.learn[at:min(at+r.Batch, len(r.learn))])
			if err != nil {
				return err
			}
			finest.move(y, members)
		}
	}
	if err := p.write(finest, members); err != nil {
		return err
	}
	r.adam.Drop()
	r.adam, err = r.newAdam()
	return err
}

// project returns y [n, d] of molecules, outside of training.
func (t *graphLoG) project(rows []int32) (y [][]float64, err error) {
	b := newBatch()
	for _, row := range rows {
		b.add(t.store.Graph(int(row)), all)
	}
	err = ops.WithoutGrad(func() error {
		return ops.InScope(func(s *ops.Scope) {
			g := t.means(t.embed(&b, ops.Mode{}, s), b.MolPtr, s)
			values := ops.Try(ops.ReadAs[float64](t.projection.forward(g, s))).In(s)
			for d := t.encoder.Width(); len(values) > 0; values = values[d:] {
				y = append(y, values[:d])
			}
		})
	})
	return y, err
}

// level holds prototypes [P, d] on the host.
type level [][]float64

func (t *prototypes) read64(l int) (all level, err error) {
	values, err := ops.ReadAs[float64](t.vectors[l])
	for d := len(values) / perLevel; len(values) > 0; values = values[d:] {
		all = append(all, values[:d])
	}
	return all, err
}

// nearest returns the prototype with the largest cosine, or product.
func (c level) nearest(y []float64, cosine bool) (best, second int) {
	score := func(p int) float64 {
		if cosine {
			return product(c[p], y) / (math.Sqrt(product(c[p], c[p])) + similarityEps)
		}
		return product(c[p], y)
	}
	first, next := math.Inf(-1), math.Inf(-1)
	for p := range c {
		switch x := score(p); {
		case x > first:
			second, next, best, first = best, first, p, x
		case x > next:
			second, next = p, x
		}
	}
	return best, second
}

// move moves each prototype towards the mean of its members among y, and counts the members.
func (c level) move(y [][]float64, members []int) {
	sums, counts := make([][]float64, len(c)), make([]int, len(c))
	for _, x := range y {
		p, _ := c.nearest(x, true)
		if sums[p] == nil {
			sums[p] = make([]float64, len(x))
		}
		for k := range x {
			sums[p][k] += x[k]
		}
		counts[p]++
	}
	for p, n := range counts {
		members[p] += n
		for k := range sums[p] {
			c[p][k] = momentum*c[p][k] + (1-momentum)*sums[p][k]/float64(n)
		}
	}
}

// populated reports which prototypes have enough members. If fewer than two do, it keeps the two
// with the most.
func populated(members []int) []bool {
	there, n := make([]bool, len(members)), 0
	for p, m := range members {
		if there[p] = m >= fewestMembers; there[p] {
			n++
		}
	}
	for ; n < 2; n++ {
		best := -1
		for p, m := range members {
			if !there[p] && (best < 0 || m > members[best]) {
				best = p
			}
		}
		there[best] = true
	}
	return there
}

// parentsOf adapts the prototypes c of a level to those below: for each of these, the nearest
// one moves towards it, and the second nearest away from it. It returns their parents.
func (c level) parentsOf(below level, there []bool) (parents []int) {
	parents = make([]int, len(below))
	for range startRounds {
		for i, x := range below {
			if !there[i] {
				continue
			}
			best, second := c.nearest(x, false)
			for k := range x {
				c[best][k] = momentum*c[best][k] + (1-momentum)*x[k]
				c[second][k] = (2-momentum)*c[second][k] - (1-momentum)*x[k]
			}
			parents[i] = best
		}
	}
	return parents
}

func (t *prototypes) write(finest level, members []int) error {
	c, there := finest, populated(members)
	for l := range levels {
		parents, above, next := make([]int, perLevel), make([]bool, perLevel), level(nil)
		if l+1 < levels {
			var err error
			if next, err = t.read64(l + 1); err != nil {
				return err
			}
			parents = next.parentsOf(c, there)
			for p, ok := range there {
				if ok {
					above[parents[p]] = true
				}
			}
		}
		if err := t.place(l, c, there, parents); err != nil {
			return err
		}
		c, there = next, above
	}
	return t.read()
}

func (t *prototypes) place(l int, c level, there []bool, parents []int) error {
	var vectors []float64
	for _, x := range c {
		vectors = append(vectors, x...)
	}
	kept, up := make([]float64, perLevel), make([]float64, perLevel)
	for p := range perLevel {
		up[p] = float64(parents[p])
		if there[p] {
			kept[p] = 1
		}
	}
	for _, x := range []struct {
		to     *ts.Tensor
		values []float64
	}{{t.vectors[l], vectors}, {t.exists[l], kept}, {t.parents[l], up}} {
		err := ops.Write(x.to, singles(x.values))
		if t.set.Float64 {
			err = ops.Write(x.to, x.values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func product(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}
