package taught

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"pacia/data/workers"
	"pacia/model/shared/past"
	"pacia/ops"
)

// examples returns n molecules whose labels in three assays depend on their vectors: the second is the first reversed, and the
// third measured one molecule of four.
func examples(n int) Examples {
	e := Examples{Width: 6, Assays: 3}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := make([]float32, e.Width)
		for c := range v {
			v[c] = float32(random.NormFloat64())
		}
		e.Vectors = append(e.Vectors, v...)
		active := v[0]+v[1] > 0
		labels := []past.Label{past.LabelOf(active), past.LabelOf(!active)}
		if i%4 == 0 {
			labels = append(labels, past.LabelOf(v[2] > 0))
		}
		for a := range labels {
			labels[a].Assay = int32(a)
		}
		e.Labels = append(e.Labels, labels)
	}
	return e
}

// predictions returns the predictions of a network for examples.
func predictions(t *testing.T, n *Network, e Examples) (ranks []float32) {
	t.Helper()
	if err := ops.InScope(func(s *ops.Scope) { ranks = n.Predict(e.Vectors, s) }); err != nil {
		t.Fatal(err)
	}
	return ranks
}

// TestTeach: what is taught predicts the labels of other molecules, and returns from its bytes as it was. Teaching that was stopped
// and goes on from its checkpoint gives the same network, and the checkpoint of other examples is not used.
func TestTeach(t *testing.T) {
	e := examples(400)
	taught := e
	taught.Vectors, taught.Labels = e.Vectors[:300*e.Width], e.Labels[:300]
	err := ops.Pinned(1, func() error {
		n, err := Teach(t.Context(), taught, "")
		if err != nil {
			return err
		}
		right, all := 0, 0
		ranks := predictions(t, n, e)
		for i := 300; i < 400; i++ {
			for _, l := range e.Labels[i][:2] {
				all++
				if (ranks[3*i+int(l.Assay)] > 0.5) == l.Active {
					right++
				}
			}
		}
		if right < all*9/10 {
			t.Errorf("%d of %d labels of other molecules are predicted", right, all)
		}
		again, err := Parse(n.Bytes(), 3)
		if err != nil || !reflect.DeepEqual(again, n) {
			t.Errorf("the network of its bytes is another one: %v", err)
		}
		return resumed(t, taught, n)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func resumed(t *testing.T, e Examples, want *Network) error {
	t.Helper()
	checkpoint := filepath.Join(t.TempDir(), "state")
	for range 2 {
		ctx, stop := context.WithCancel(t.Context())
		after := func(_ string, done, _ int) { // a checkpoint and a few steps
			if done%saving == 7 && done > saving {
				stop()
			}
		}
		if _, err := Teach(workers.WithProgress(ctx, after), e, checkpoint); !errors.Is(err, context.Canceled) {
			t.Errorf("a stopped call ended with %v", err)
		}
	}
	n, err := Teach(t.Context(), e, checkpoint)
	if err != nil {
		return err
	}
	a, b := predictions(t, n, e), predictions(t, want, e)
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-6 {
			t.Fatalf("prediction %d is %v after stops, %v without", i, a[i], b[i])
		}
	}
	other := examples(200)
	if n, err = Teach(t.Context(), other, checkpoint); err != nil {
		return err
	}
	fresh, err := Teach(t.Context(), other, "")
	if err == nil && !reflect.DeepEqual(n, fresh) {
		t.Error("the checkpoint of other examples changes what is taught")
	}
	return errors.Join(err, Remove(checkpoint), Remove(checkpoint))
}

// TestDamaged: bytes that are not those of a network for as many assays are refused.
func TestDamaged(t *testing.T) {
	n := &Network{[]layer{{2, 1, make([]float32, 2), make([]float32, 1)}}}
	b := n.Bytes()
	for _, damaged := range [][]byte{nil, {1, 0}, b[:len(b)-1], append(b, 0), {0, 0, 0, 0}, {1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0}} {
		if _, err := Parse(damaged, 1); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v: %v", damaged, err)
		}
	}
	if _, err := Parse(b, 2); !errors.Is(err, ErrDamaged) {
		t.Errorf("another number of assays: %v", err)
	}
}
