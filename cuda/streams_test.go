package cuda

import (
	"errors"
	"sync"
	"testing"
	"unsafe"
)

// TestStreamsAreExclusive: no two threads share a stream, also with more threads than the
// 32 streams of libtorch's pool. A stream that was given back is reused on its own device.
func TestStreamsAreExclusive(t *testing.T) {
	made := map[unsafe.Pointer]int{} // its device
	s := streams{create: func(device int) (unsafe.Pointer, error) {
		if device > 1 {
			return nil, errors.New("no such device")
		}
		p := unsafe.Pointer(new(int))
		made[p] = device
		return p, nil
	}}
	for range 3 {
		var mu sync.Mutex
		var all sync.WaitGroup
		taken := map[unsafe.Pointer]int{}
		for i := range 40 {
			all.Go(func() {
				p, err := s.take(i % 2)
				mu.Lock()
				defer mu.Unlock()
				if _, twice := taken[p]; err != nil || twice {
					t.Errorf("stream %p, error %v; given to two: %t", p, err, twice)
				}
				taken[p] = i % 2
			})
		}
		all.Wait()
		for p, device := range taken {
			if made[p] != device {
				t.Errorf("a stream of device %d was given for device %d", made[p], device)
			}
			s.give(device, p)
		}
	}
	if len(made) != 40 {
		t.Errorf("%d streams were made for at most 40 threads at a time, want 40", len(made))
	}
	if _, err := s.take(2); err == nil {
		t.Error("an error of the device is lost")
	}
}
