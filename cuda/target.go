package cuda

import (
	"fmt"
	"slices"
)

// target is the target of compiling kernels: the machine code of an architecture
// (86 for sm_86), or PTX, which the driver compiles for newer devices.
type target struct {
	architecture int
	ptx          bool
}

func (t target) String() string {
	if t.ptx {
		return fmt.Sprintf("compute_%d", t.architecture)
	}
	return fmt.Sprintf("sm_%d", t.architecture)
}

// integrated are the architectures of GPUs that share a chip with the processor
// (Tegra). Their machine code does not run on other devices, nor the reverse.
var integrated = []int{53, 62, 72, 87, 88, 101, 110}

// targetFor returns the target for a device and a compiler that supports the architectures
// known, ascending. Machine code runs on devices of the same major version and at least
// the same minor version. PTX runs on every later device.
func targetFor(capability int, known []int) (t target, ok bool) {
	for _, a := range known {
		if a > capability || a < capability && slices.Contains(integrated, a) {
			continue
		}
		ptx := a < capability && (a/10 < capability/10 || slices.Contains(integrated, capability))
		t, ok = target{architecture: a, ptx: ptx}, true
	}
	return t, ok
}

// choose returns the compiler for a device and its target. It prefers machine code of the
// device itself to that of an older one, and that to PTX. The driver (13000 for CUDA 13.0)
// must support the compiler's CUDA: at least its major version for machine code, at least
// its version for PTX.
func choose(found []*compiler, capability, driver int) (best *compiler, t target, err error) {
	rank := func(t target) int {
		if t.ptx {
			return t.architecture
		}
		return 1000 + t.architecture
	}
	for _, c := range found {
		known, ok := targetFor(capability, c.architectures)
		needs := c.version[0] * 1000
		if known.ptx {
			needs += c.version[1] * 10
		}
		if ok && needs <= driver && (best == nil || rank(known) > rank(t)) {
			best, t = c, known
		}
	}
	if best == nil {
		return nil, t, fmt.Errorf("no NVRTC for a GPU of capability %d.%d with a driver for CUDA %s (there are: %v); "+
			"set %s to the libnvrtc.so.… of another CUDA, or use another libtorch",
			capability/10, capability%10, cudaVersion(driver), found, compilerVariable)
	}
	return best, t, nil
}

func cudaVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }
