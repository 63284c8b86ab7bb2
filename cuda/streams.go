package cuda

import (
	"sync"
	"unsafe"
)

// streams holds unused exclusive streams, by device. They are not taken from libtorch's
// own pool, which cycles through 32 streams. Copies of one thread could then go to a
// stream on which another thread captures a graph, which CUDA refuses (errors 905 and
// 907), and two threads could get the same stream and record each other's work.
//
// A stream is reused, and never destroyed, because libtorch's allocator keeps the memory
// that was freed on a stream for that stream.
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
