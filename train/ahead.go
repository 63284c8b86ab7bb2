package train

import "context"

// made is what ahead made, or why it could not.
type made[T any] struct {
	value T
	err   error
}

// ahead makes the values of first to last, in order, one ahead of their reader
// and in a goroutine of its own, which ends after the last one or with ctx.
// The values must not need tensors: those belong to one thread.
func ahead[T any](ctx context.Context, first, last int, value func(i int) (T, error)) <-chan made[T] {
	values := make(chan made[T])
	go func() {
		defer close(values)
		for i := first; i <= last; i++ {
			v, err := value(i)
			select {
			case values <- made[T]{v, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return values
}
