package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// pair starts the command twice at nearly the same time. At least one of the two must
// succeed. The other must succeed or report in one line that it cannot run.
func (h *harm) pair(r *reference, random *rand.Rand) (int, error) {
	dir, err := h.from(r)
	if err != nil {
		return 0, err
	}
	var both [2]outcome
	var wg sync.WaitGroup
	for i := range both {
		wait := time.Duration(i) * time.Duration(random.Float64()*0.5*float64(r.took))
		wg.Go(func() {
			time.Sleep(wait)
			both[i] = h.attemptOf(&r.scenario, dir)
		})
	}
	wg.Wait()
	for _, o := range both {
		if err := o.sound(); err != nil {
			return 1, err
		}
	}
	if both[0].Exit != 0 && both[1].Exit != 0 {
		return 1, errors.New("neither ended well: " + both[0].brief() + " || " + both[1].brief())
	}
	p, err := digest(dir, r.files)
	if err == nil {
		err = p.same(r.prints)
	}
	if err != nil {
		return 1, fmt.Errorf("%w (%s || %s)", err, both[0].brief(), both[1].brief())
	}
	return 1, h.settle(r, dir)
}
