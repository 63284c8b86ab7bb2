package ops

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sugarme/gotch/ts"
)

// gotch keeps a list of all tensors by name, and frees a tensor only if its name is on
// the list. It takes names from a counter that threads read without a lock. If two
// tensors got the same name, the second one dropped would never be freed.
var (
	names  atomic.Int64
	naming sync.Mutex // held while gotch itself makes tensors
)

// made calls a function of gotch that makes a tensor. Errors begin with what.
func made(what string, by func() (*ts.Tensor, error)) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	t, err := by()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return t, nil
}
