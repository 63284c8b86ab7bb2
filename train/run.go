package train

import (
	"context"
	"errors"
)

// ErrStopped is returned by Run when its context ends before the last episode:
// the step under way was finished and saved.
var ErrStopped = errors.New("stopped before the last episode")

// Run trains a model as cfg says and leaves config.yaml, metrics.jsonl,
// last.ckpt, best.ckpt and summary.json in dir. With resume it continues the
// run that dir holds, or starts one where there is none yet; without resume a
// dir that holds a run is refused. It returns an error that wraps ErrStopped
// when ctx ends, and a *fault.Error for bad input.
func Run(ctx context.Context, cfg RunConfig, dir string, resume bool, rep Reporter) (Summary, error) {
	return Summary{}, cfg.Validate()
}
