package gsmeta

import (
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// Legend: n episodes of a step, d width of a vector.

// selectorPrefix starts the names of the selector's parameters, which only training needs.
const selectorPrefix = "selector."

// selector chooses tasks by the vectors of their episodes.
type selector struct {
	own     [2]ops.Linear // d → hidden → 1
	others  [2]ops.Linear // d → d → d
	seen    *ts.Tensor    // [1] number of steps made
	rewards *ts.Tensor    // [1] their mean reward
	Selection
}

func newSelector(p *params.Set, d int, c Selection) *selector {
	p.Part("selector")
	return &selector{
		own: [2]ops.Linear{p.Linear(selectorPrefix+"own.0", d, c.Hidden, true, 0), p.Linear(selectorPrefix+"own.1", c.Hidden, 1, true, 0)},
		others: [2]ops.Linear{
			p.Linear(selectorPrefix+"others.0", d, d, true, 0), p.Linear(selectorPrefix+"others.1", d, d, true, 0),
		},
		seen: p.Buffer(selectorPrefix+"steps", 0, 1), rewards: p.Buffer(selectorPrefix+"reward", 0, 1),
		Selection: c,
	}
}

// state returns the number of steps made, and the mean of their rewards.
func (c *selector) state(s *ops.Scope) (steps, mean float64) {
	return ops.Try(ops.Number(c.seen)).In(s), ops.Try(ops.Number(c.rewards)).In(s)
}

// probabilities returns softmax(z/t) [n] of vectors x [n, d]. z is the tanh of a network of x and of
// the mean of the other vectors, and t = 1 + ⌊steps/anneal⌋.
func (c *selector) probabilities(vectors [][]float64, like *Learner, s *ops.Scope) *ts.Tensor {
	n := len(vectors)
	var own, others []float64
	for i, v := range vectors {
		own = append(own, v...)
		mean := make([]float64, len(v))
		for j, w := range vectors {
			if j != i {
				add(mean, w, 1/float64(n-1))
			}
		}
		others = append(others, mean...)
	}
	x, y := s.View(like.Vector(own, s), int64(n), -1), s.View(like.Vector(others, s), int64(n), -1)
	x = s.Keep(ops.Total(x, network(y, c.others, s)))
	steps, _ := c.state(s)
	t := 1 + math.Floor(steps/float64(c.Anneal))
	raw := network(x, c.own, s)
	z := s.View(s.Times(s.Call("tanh", func() (*ts.Tensor, error) { return raw.Tanh(false) }), 1/t), -1)
	return s.Call("softmax", func() (*ts.Tensor, error) { return z.Softmax(0, z.DType(), false) })
}

// network applies two linear layers with ReLU between.
func network(x *ts.Tensor, layers [2]ops.Linear, s *ops.Scope) *ts.Tensor {
	h := s.Keep(ops.ReLU(s.Keep(ops.MLP(x, layers[:1], ops.Mode{}))))
	return s.Keep(ops.MLP(h, layers[1:], ops.Mode{}))
}

// choose draws distinct tasks, by the sums of the probabilities p of their episodes.
func (c *selector) choose(p []float64, tasks [][]int, key uint64) (chosen []int) {
	weights, total := make([]float64, len(tasks)), 0.0
	for t, episodes := range tasks {
		for _, e := range episodes {
			weights[t] += p[e]
		}
		total += weights[t]
	}
	random := data.Rand(key, "chosen tasks", 0)
	for range min(c.Tasks, len(tasks)) {
		at, left := -1, random.Float64()*total
		for t, w := range weights {
			if w > 0 {
				at = t
				if left -= w; left < 0 {
					break
				}
			}
		}
		chosen = append(chosen, at)
		total -= weights[at]
		weights[at] = 0
	}
	return chosen
}

// learn adds the gradients of −Σ log p(task) · (reward − mean reward so far) over the chosen tasks,
// which are lists of episodes. It then updates the mean reward.
func (c *selector) learn(vectors [][]float64, chosen [][]int, reward float64, like *Learner, s *ops.Scope) {
	p := c.probabilities(vectors, like, s)
	steps, mean := c.state(s)
	var losses []*ts.Tensor
	for _, episodes := range chosen {
		index := each.As[int32](episodes)
		of := s.Keep(ops.Rows(p, s.Keep(ops.Vector(index, like.Set.Device))))
		sum := s.Call("sum", func() (*ts.Tensor, error) { return of.Sum(of.DType(), false) })
		losses = append(losses, s.Call("logarithm", func() (*ts.Tensor, error) { return sum.Log(false) }))
	}
	s.Check(ops.Backward(s.Times(s.Keep(ops.Total(losses...)), mean-reward)))
	s.Check(ops.Write(c.seen, []float64{steps + 1}))
	s.Check(ops.Write(c.rewards, []float64{mean + (reward-mean)/(steps+1)}))
}
