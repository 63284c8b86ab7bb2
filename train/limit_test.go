package train

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"pacia/data"
	"pacia/evaluate"
	"pacia/model"
	"pacia/ops"
	"pacia/run/runconfig"
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

// TestARunKeepsItsLimit: later evaluations do not retry a batch size that was refused.
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

// narrow is a learner with a device that takes 30 queries at a time.
type narrow struct {
	*fake
	refused *int
}

func narrowBuilder(refused *int) builder {
	return func(runconfig.Config, []int) (learner, error) { return narrow{fakeAhead(1), refused}, nil }
}

func (n narrow) Adapt(support *data.Batch) (evaluate.Adapted, error) {
	a, err := n.fake.Adapt(support)
	return narrowAdapted{a, n.refused}, err
}

type narrowAdapted struct {
	evaluate.Adapted
	refused *int
}

func (n narrowAdapted) ScoreAll(b *data.Batch) (model.Scored, error) {
	if len(b.QueryMol) > 30 {
		*n.refused++
		return nil, ops.ErrOutOfMemory
	}
	return n.Adapted.ScoreAll(b)
}
