package cuda

import (
	"sync"
	"unsafe"
)

// streams are those that threads have had to themselves, by device, and that wait
// for the next thread. libtorch's own pool is not a place to take them from: it gives
// 32 in turn, so that the copies of one thread may go to the stream that another
// one captures a graph on, which CUDA refuses (errors 905 and 907), and two threads
// may get one stream and record each other's work.
//
// A stream is given out again, and never destroyed, because libtorch's allocator
// keeps the memory that was freed on a stream for that stream.
type streams struct {
	create func(device int) (unsafe.Pointer, error)

	mu   sync.Mutex
	free map[int][]unsafe.Pointer
}

func (s *streams) take(device int) (unsafe.Pointer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if free := s.free[device]; len(free) > 0 {
		last := len(free) - 1
		s.free[device] = free[:last]
		return free[last], nil
	}
	return s.create(device)
}

func (s *streams) give(device int, stream unsafe.Pointer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == nil {
		s.free = map[int][]unsafe.Pointer{}
	}
	s.free[device] = append(s.free[device], stream)
}
