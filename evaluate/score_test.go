package evaluate

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/ops"
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

// TestQueriesThatDoNotFitAreHalved: every query has its score, however few queries
// fit in the device's memory. The limit is kept for later batches.
func TestQueriesThatDoNotFitAreHalved(t *testing.T) {
	ds := openAssays(t)
	var rows []int32
	for i := range 900 {
		rows = append(rows, int32(i%ds.Store.Len()))
	}
	for _, most := range []int{1, 100, 225, 449} {
		o, limit := &oracle{score: size, labels: 2, most: most}, new(QueryLimit)
		var scores []float32
		var err error
		rankAll := func() { scores, _, err = Rank(context.Background(), o, limit, ds.Store, rows) }
		if text := logged(rankAll); strings.Count(text, "\n") != 1 || !strings.Contains(text, "memory") {
			t.Errorf("at most %d: logged is %q, want one line", most, text)
		}
		if err != nil || len(scores) != len(rows) {
			t.Fatalf("at most %d: %d scores of %d queries, error %v", most, len(scores), len(rows), err)
		}
		for i, row := range rows {
			if want := float32(ds.Store.Atoms(int(row))); scores[i] != want {
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

// TestWhereNotOneMoleculeFits: the error is ErrOutOfMemory with a remedy.
func TestWhereNotOneMoleculeFits(t *testing.T) {
	ds := openAssays(t)
	full := func(f func() error) {
		t.Helper()
		var err error
		logged(func() { err = f() })
		if !errors.Is(err, ops.ErrOutOfMemory) || !strings.Contains(err.Error(), "device=cpu") {
			t.Errorf("got %v, want ErrOutOfMemory with a remedy", err)
		}
	}
	full(func() error {
		_, _, err := Rank(context.Background(), tooLarge{&oracle{}}, new(QueryLimit), ds.Store, []int32{0, 1, 2})
		return err
	})
	adapt := func(*data.Batch) (Adapted, error) { return nil, ops.ErrOutOfMemory }
	full(func() error {
		_, _, err := Tasks(context.Background(), Adapter(adapt), ds, []int{6}, Options{Rule: data.Draw{Shots: 3}})
		return err
	})
}

// TestScoresThatAreNone: a score that is not finite is an error, and never a row of a table.
func TestScoresThatAreNone(t *testing.T) {
	ds := openAssays(t)
	rows := []int32{0, 1, 2, 3}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		one := ds.Store.Atoms(2)
		o := &oracle{labels: 2, score: func(b *data.Batch, q int32) float32 {
			if int(size(b, q)) == one {
				return float32(bad)
			}
			return 0.5
		}}
		_, _, err := Rank(context.Background(), o, new(QueryLimit), ds.Store, rows)
		if !badinput.Is(err) || !strings.Contains(err.Error(), "of 4 molecules no probability; its training") {
			t.Errorf("%v: error %v, want a fault with a remedy", bad, err)
		}
	}
}

// tooLarge is a model that is always out of memory.
type tooLarge struct{ *oracle }

func (tooLarge) ScoreAll(*data.Batch) (model.Scored, error) {
	return nil, ops.ErrOutOfMemory
}
