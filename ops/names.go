package ops

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sugarme/gotch/ts"
)

// gotch keeps a list of all tensors by name, and frees a tensor only where its
// name is on it. It names tensors by a count that threads read at the same
// time: of two that got one name, the second to be dropped would never be freed.
var (
	names  atomic.Int64
	naming sync.Mutex // held while gotch itself makes tensors
)

// made makes a tensor by gotch itself; errors name it by what it is.
func made(what string, by func() (*ts.Tensor, error)) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	t, err := by()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return t, nil
}
