package modeltest

import (
	"os"
	"runtime"
	"testing"

	"pacia/ops"
)

// where is the device of the models that tests make.
var where = "cpu"

// Where returns the device of the models that tests make: cpu, or within [Emulated]
// the one that PACIA_TEST_DEVICE names.
func Where() string { return where }

// made is a value or an error; see or.
type made[T any] struct {
	value T
	err   error
}

func from[T any](value T, err error) made[T] { return made[T]{value, err} }

// or returns the value, or ends the test.
func (m made[T]) or(t testing.TB) T {
	t.Helper()
	if m.err != nil {
		t.Fatal(m.err)
	}
	return m.value
}

// Locked locks the test to one OS thread and sets the number of libtorch's threads to n. Each
// subtest is a separate goroutine. A test that compares two runs bit for bit must call Locked
// in each of its subtests.
func Locked(t testing.TB, n int) {
	t.Helper()
	runtime.LockOSThread()
	ops.SetThreads(n)
	t.Cleanup(runtime.UnlockOSThread)
}

// Emulated makes the test's operations run as kernels: on the device that
// PACIA_TEST_DEVICE names, such as cuda, or else on the emulator.
func Emulated(t testing.TB) {
	t.Helper()
	Locked(t, 1)
	before := ops.Launches()
	if name := os.Getenv("PACIA_TEST_DEVICE"); name != "" {
		where = name
	} else {
		ops.Emulate(true)
	}
	t.Cleanup(func() {
		where = "cpu"
		ops.Emulate(false)
		if ops.Launches() == before {
			t.Error("no kernel ran")
		}
	})
}

// Run runs a subtest on the loops for the CPU, on one thread. With two threads, a small model
// takes twice the CPU time. [OnKernels] uses two.
func Run(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		Locked(t, 1)
		f(t)
	})
}

// RunBoth runs a subtest on the loops for the CPU, and on the kernels for a GPU.
func RunBoth(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	Run(t, name, f)
	t.Run(name+", kernels", func(t *testing.T) {
		Emulated(t)
		f(t)
	})
}
