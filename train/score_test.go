package train

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
	"pacia/runconfig"
)

// logged returns what f logs.
func logged(f func()) string {
	var text bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	f()
	return text.String()
}

// TestQueriesThatDoNotFitAreHalved: whatever a device takes at a time, every
// query has its score, and what was found out holds for the rest of the run.
func TestQueriesThatDoNotFitAreHalved(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	var rows []int32
	for i := range 900 {
		rows = append(rows, int32(i%r.data.Store.Len()))
	}
	for _, most := range []int{1, 100, 225, 899} {
		o, limit := &oracle{score: size, most: most}, new(queryLimit)
		var scores []float32
		var err error
		rankAll := func() { scores, err = rank(context.Background(), o, limit, r.data.Store, rows, 2) }
		if text := logged(rankAll); strings.Count(text, "\n") != 1 || !strings.Contains(text, "memory") {
			t.Errorf("at most %d: logged is %q, want one line", most, text)
		}
		if err != nil || len(scores) != len(rows) {
			t.Fatalf("at most %d: %d scores of %d queries, error %v", most, len(scores), len(rows), err)
		}
		for i, row := range rows {
			if want := float32(r.data.Store.Atoms(int(row))); scores[i] != want {
				t.Fatalf("at most %d: score %d is that of another molecule: %v atoms, want %v", most, i, scores[i], want)
			}
		}
		o.batches = nil
		if text := logged(rankAll); text != "" || err != nil {
			t.Errorf("at most %d: the second time logged is %q, error %v", most, text, err)
		}
		for _, b := range o.batches {
			if len(b.QueryMol) > most {
				t.Errorf("at most %d: the second time a batch of %d is tried", most, len(b.QueryMol))
			}
		}
		if n := len(o.batches); n > 2*(len(rows)/most+1) {
			t.Errorf("at most %d: %d batches for %d queries", most, n, len(rows))
		}
	}
}

// TestWhereNotOneMoleculeFits the error says so, and what to do.
func TestWhereNotOneMoleculeFits(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	full := func(f func() error) {
		t.Helper()
		var err error
		logged(func() { err = f() })
		if !errors.Is(err, ops.ErrOutOfMemory) || !strings.Contains(err.Error(), "device=cpu") {
			t.Errorf("got %v, want ErrOutOfMemory and what to do", err)
		}
	}
	full(func() error {
		_, err := rank(context.Background(), tooLarge{&oracle{}}, new(queryLimit), r.data.Store, []int32{0, 1, 2}, 2)
		return err
	})
	adapt := func(*data.Batch) (adapted, error) { return nil, ops.ErrOutOfMemory }
	full(func() error {
		_, _, err := evaluate(context.Background(), adapt, r.data, []int{6}, EvalOptions{Rule: data.Draw{Shots: 3}})
		return err
	})
}

// tooLarge fits into no memory.
type tooLarge struct{ *oracle }

func (tooLarge) Score(*data.Batch) ([]float32, []int32, error) {
	return nil, nil, ops.ErrOutOfMemory
}

// TestARunKeepsItsLimit: later evaluations do not try again what was refused.
func TestARunKeepsItsLimit(t *testing.T) {
	refused := 0
	c := assaysConfig(t)
	var err error
	text := logged(func() {
		_, err = runWith(context.Background(), narrowBuilder(&refused), c, t.TempDir(), false, &recorder{})
	})
	if err != nil || strings.Count(text, "\n") != 1 || refused == 0 || refused > 8 {
		t.Errorf("three evaluations: %d batches are refused, logged is %q, error %v", refused, text, err)
	}
}

// narrow is a learner whose device takes 30 queries at a time.
type narrow struct {
	*fake
	refused *int
}

func narrowBuilder(refused *int) builder {
	return func(runconfig.Config, []int) (learner, error) { return narrow{fakeAhead(1), refused}, nil }
}

func (n narrow) Adapt(support *data.Batch) (adapted, error) {
	a, err := n.fake.Adapt(support)
	return narrowAdapted{a, n.refused}, err
}

type narrowAdapted struct {
	adapted
	refused *int
}

func (n narrowAdapted) Score(b *data.Batch) ([]float32, []int32, error) {
	if len(b.QueryMol) > 30 {
		*n.refused++
		return nil, nil, ops.ErrOutOfMemory
	}
	return n.adapted.Score(b)
}
