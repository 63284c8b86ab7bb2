package ops

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
)

// gotch keeps a list of all tensors by name, and frees a tensor only if its name is on
// the list. It takes names from a counter that threads read without a lock. If two
// tensors got the same name, the second one dropped would never be freed.
var (
	names  atomic.Int64
	naming sync.Mutex // held while gotch itself makes tensors
)

// call calls a function of gotch that makes a tensor. Errors begin with name.
func call(name string, make func() (*ts.Tensor, error)) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	t, err := make()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, ofGotch(err))
	}
	return t, nil
}

// ofGotch returns an error of gotch with its kind, without the Go stack that gotch adds to the text.
func ofGotch(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\ngoroutine ")
	return cuda.Classified(errors.New(strings.TrimPrefix(text, "Libtorch API Error: ")))
}
