package train

import (
	"errors"
	"fmt"

	"pacia/ops"
	"pacia/run/runconfig"
)

// explained adds to the error of a lost device how to resume the run. From the first step on a
// checkpoint exists. Before, while the encoder learns labels, the pretraining saves its own state.
func (r *run) explained(err error) error {
	if !errors.Is(err, ops.ErrDeviceLost) {
		return err
	}
	r.lost = true
	failure := r.writer.wait() // it writes host memory, which is not lost
	if r.saved < 0 {
		return errors.Join(fmt.Errorf("%w; no episode has begun: pacia train --resume --out %s continues, "+
			"with --set device=cpu without the device", err, r.dir), failure)
	}
	return errors.Join(fmt.Errorf("%w; last.ckpt holds episode %d: pacia train --resume --out %s continues from it, with --set device=cpu without the device",
		err, r.saved, r.dir), failure)
}

// saveFirst writes last.ckpt before the first step on a device that may be lost.
func (r *run) saveFirst() error {
	if r.cfg.Device == runconfig.CPU || r.saved >= 0 {
		return nil
	}
	if err := r.begin(true); err != nil {
		return err
	}
	return r.writer.wait()
}
