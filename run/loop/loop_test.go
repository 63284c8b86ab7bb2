package loop

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestOrder: a run measures and saves before it makes steps, ends after the last step, and is stopped before the next one.
func TestOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		done, last, stop int // steps done before, in all, and after which the context ends
		want             []string
	}{
		"whole":   {0, 2, -1, []string{"measure", "save", "step", "measure", "save", "step", "measure", "save", "end"}},
		"stopped": {0, 2, 1, []string{"measure", "save", "step", "measure", "stop"}},
		"at once": {0, 2, 0, []string{"measure", "stop"}},
		"ended":   {2, 2, -1, []string{"measure", "save", "end"}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		steps, calls := tt.done, []string(nil)
		call := func(what string) func() error {
			return func() error { calls = append(calls, what); return nil }
		}
		stopped := errors.New("stopped")
		err := Loop{
			Measure: func(ctx context.Context) error {
				calls = append(calls, "measure")
				if steps == tt.stop {
					cancel()
				}
				return ctx.Err() // an interrupted measurement does not keep the state from being saved
			},
			Save:  call("save"),
			Done:  func() bool { return steps >= tt.last },
			Steps: func(context.Context) error { steps++; return call("step")() },
			Stop:  func() error { return errors.Join(call("stop")(), stopped) },
			End:   call("end"),
		}.Run(ctx)
		if !slices.Equal(calls, tt.want) || errors.Is(err, stopped) != (tt.stop >= 0) {
			t.Errorf("%s: %v (%v), want %v", name, calls, err, tt.want)
		}
	}
}

// TestFailures: the first error ends a run, and nothing is called after it.
func TestFailures(t *testing.T) {
	failure := errors.New("failure")
	for _, place := range []string{"measure", "save", "step"} {
		var calls []string
		at := func(what string) func() error {
			return func() error {
				if calls = append(calls, what); what == place {
					return failure
				}
				return nil
			}
		}
		with := func(f func() error) func(context.Context) error { return func(context.Context) error { return f() } }
		err := Loop{
			Measure: with(at("measure")), Save: at("save"), Done: func() bool { return false }, Steps: with(at("step")), Stop: at("stop"), End: at("end"),
		}.Run(t.Context())
		if !errors.Is(err, failure) || calls[len(calls)-1] != place {
			t.Errorf("a failure of %s: %v after %v", place, err, calls)
		}
	}
}
