package taught

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"

	"github.com/sugarme/gotch/ts"

	"pacia/data/workers"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Examples are the molecules that a network is taught, with their labels in past assays.
type Examples struct {
	Width   int
	Vectors []float32      // [n, W]
	Labels  [][]past.Label // [n] by number of assay
	Assays  int            // A
}

// Constants of teaching, chosen on 60 assays of ToxCast with 497 others as their past (docs/lab/teach.md).
const (
	batch     = 256
	epochs    = 20
	rate      = 1e-3
	decay     = 1e-2
	dropout   = 0.3
	reduceSum = 2 // libtorch's number of a sum

	fewest, most = 200, 6000 // steps
	saving       = 50        // steps between two checkpoints
)

// Teach returns a network that has learnt the labels of examples by their cross entropy. An assay of m labels has √m times the
// weight of an assay of one. Where a checkpoint is named, the state is kept in this file every fifty steps, and a later call
// continues from there if the examples are the same; the caller removes it. It must be called from within ops.Pinned.
func Teach(ctx context.Context, e Examples, checkpoint string) (*Network, error) {
	t, err := newTeaching(e)
	if err != nil {
		return nil, err
	}
	defer t.drop()
	if err := t.resume(checkpoint); err != nil {
		return nil, err
	}
	for step := int(t.adam.Steps()); step < t.steps; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.step(step); err != nil {
			return nil, fmt.Errorf("teaching past assays: %w", err)
		}
		workers.Report(ctx, "steps", step+1, t.steps)
		if checkpoint != "" && (step+1 == t.steps || (step+1)%saving == 0) {
			if err := t.save(checkpoint); err != nil {
				return nil, err
			}
		}
	}
	return t.network()
}

// teaching is the state of Teach.
type teaching struct {
	Examples
	set     *params.Set
	adam    *ops.Adam
	layers  []ops.Linear
	weights []float32 // [A] of a label
	steps   int
	hash    string // of the examples
}

func newTeaching(e Examples) (t *teaching, err error) {
	n := len(e.Labels)
	if n == 0 || e.Assays == 0 || len(e.Vectors) != n*e.Width {
		return nil, errors.New("teaching past assays: labels of molecules with vectors are missing")
	}
	t = &teaching{Examples: e, set: &params.Set{Device: ops.CPU, Seed: 1}, hash: e.hash()}
	t.steps = min(max(fewest, epochs*(n+batch-1)/batch), most)
	counts, ranks := make([]float64, e.Assays), make([]float64, e.Assays)
	for _, labels := range e.Labels {
		for _, l := range labels {
			counts[l.Assay]++
			ranks[l.Assay] += float64(target(l))
		}
	}
	t.weights = each.Of(counts, func(m float64) float32 { return float32(1 / math.Sqrt(max(1, m))) })
	for i, width := range []int{e.Width, hidden} {
		t.layers = append(t.layers, t.set.Linear(fmt.Sprintf("taught.%d", i), width, hidden, true, follow(i, 3)))
	}
	t.layers = append(t.layers, ops.Linear{
		W: t.set.Constant("taught.2.weight", 0, int64(e.Assays), hidden),
		B: t.set.Filled("taught.2.bias", func(a int) float64 {
			share := (ranks[a] + 0.5) / (counts[a] + 1)
			return math.Log(share / (1 - share))
		}, int64(e.Assays)),
	})
	if err = t.set.Err(); err == nil {
		t.adam, err = ops.NewAdam(each.Of(t.set.Trained(), tensorOf), ops.AdamOptions{
			LR: rate, WeightDecay: decay, Decoupled: true, Schedule: ops.Schedule{Warm: t.steps / 10, Steps: t.steps, Least: 0.02},
		})
	}
	if err != nil {
		t.set.Drop()
		return nil, err
	}
	return t, nil
}

func tensorOf(p params.Parameter) *ts.Tensor { return p.Tensor }

func (t *teaching) drop() {
	t.adam.Drop()
	t.set.Drop()
}

// target returns the rank of a label, between 0 and 1.
func target(l past.Label) float32 { return float32(l.Rank-1) / (past.Parts - 2) }

// step learns the labels of a batch of molecules, which depends on the number of the step only.
func (t *teaching) step(step int) error {
	n := len(t.Labels)
	perEpoch := (n + batch - 1) / batch
	order := rand.New(rand.NewPCG(uint64(step/perEpoch), 1)).Perm(n)
	at := step % perEpoch * batch
	molecules := order[at:min(n, at+batch)]
	var x []float32
	targets, weights := make([]float32, len(molecules)*t.Assays), make([]float32, len(molecules)*t.Assays)
	sum := float32(0)
	for row, i := range molecules {
		x = append(x, t.Vectors[i*t.Width:(i+1)*t.Width]...)
		for _, l := range t.Labels[i] {
			at := row*t.Assays + int(l.Assay)
			targets[at], weights[at] = target(l), t.weights[l.Assay]
			sum += weights[at]
		}
	}
	for i := range weights {
		weights[i] /= max(sum, 1e-9)
	}
	err := ops.InScope(func(s *ops.Scope) {
		shape := []int64{int64(len(molecules)), int64(t.Assays)}
		logits := logitsOf(x, t.Width, t.layers, ops.Mode{Training: true, Dropout: dropout, Key: ops.MixBits(uint64(step))}, s)
		y, w, none := s.Keep(ops.New(targets, shape, ops.CPU)), s.Keep(ops.New(weights, shape, ops.CPU)), s.None()
		s.Check(ops.Backward(s.Call("cross entropy", func() (*ts.Tensor, error) {
			return logits.BinaryCrossEntropyWithLogits(y, w, none, reduceSum, false)
		})))
	})
	if err == nil {
		_, err = t.adam.Step()
	}
	return err
}

// network returns the network as it is.
func (t *teaching) network() (*Network, error) {
	n := new(Network)
	for _, l := range t.layers {
		weight, err := ops.Read(l.W)
		if err != nil {
			return nil, err
		}
		bias, err := ops.Read(l.B)
		if err != nil {
			return nil, err
		}
		n.layers = append(n.layers, layer{len(weight) / len(bias), len(bias), weight, bias})
	}
	return n, nil
}

// Remove removes a checkpoint of Teach.
func Remove(checkpoint string) error {
	if err := os.Remove(checkpoint); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
