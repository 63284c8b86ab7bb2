package ops_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

func TestParseDevice(t *testing.T) {
	info, err := ops.Info()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cpu", ""} {
		if d, err := ops.ParseDevice(name); d != ops.CPU || err != nil {
			t.Errorf("ParseDevice(%q) = %v, %v; want CPU", name, d, err)
		}
	}
	for _, name := range []string{"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1.5", "CPU", "cuda0"} {
		_, err := ops.ParseDevice(name)
		opstest.Fails(t, err, name, "write cpu, cuda or cuda:N")
	}
	if info.Devices > 0 {
		t.Skipf("there are %d CUDA devices, which are not refused", info.Devices)
	}
	for _, name := range []string{"cuda", "cuda:0", "cuda:7"} {
		_, err := ops.ParseDevice(name)
		want := "no CUDA device answers"
		if info.CUDA == "" {
			want = "linked for the CPU only"
		}
		opstest.Fails(t, err, "device "+name, want)
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has more than one line: %q", err)
		}
	}
	// Without ParseDevice there is also an error and no crash.
	_, err = ops.New([]float32{1}, []int64{1}, ops.Device(0))
	opstest.Fails(t, err, "new tensor")
}

// TestInfo checks the information that pacia doctor prints.
func TestInfo(t *testing.T) {
	info, err := ops.Info()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(info.Torch, ".") || info.CXX11ABI>>1 != 0 || info.Devices < 0 {
		t.Errorf("libtorch's information: %+v", info)
	}
}

func TestValuesInAndOut(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, true)
	defer l.Drop()
	x := l.Must(ops.New([]float32{1, 2.5, -3, 4, 5, 6}, []int64{2, 3}, ops.CPU))
	if shape, err := x.Size(); err != nil || !slices.Equal(shape, []int64{2, 3}) {
		t.Errorf("shape %v, %v", shape, err)
	}
	if v, err := ops.Read(x); err != nil || !slices.Equal(v, []float32{1, 2.5, -3, 4, 5, 6}) {
		t.Errorf("read %v, %v", v, err)
	}
	if err := ops.Write(x, []float64{6, 5, 4, 3, 2, math.Pi}); err != nil {
		t.Fatal(err)
	}
	if v, err := ops.Read(x); err != nil || v[0] != 6 || v[5] != float32(math.Pi) {
		t.Errorf("read %v after Write, %v", v, err)
	}
	if v, err := ops.ReadAs[int64](l.Must(ops.Vector([]uint8{0, 255}, ops.CPU))); err != nil || !slices.Equal(v, []int64{0, 255}) {
		t.Errorf("bytes read as %v, %v", v, err)
	}
	if v, err := ops.ReadAs[int32](l.Must(ops.New([]int32{}, []int64{0, 4}, ops.CPU))); err != nil || len(v) != 0 {
		t.Errorf("an empty tensor read as %v, %v", v, err)
	}
}

func TestErrorsOfValues(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, true)
	defer l.Drop()
	_, err := ops.New([]float32{1, 2, 3}, []int64{2, 2}, ops.CPU)
	opstest.Fails(t, err, "new tensor", "3 values", "[2 2]")
	x := l.Leaf("x", 0, 1, 2, 2)
	opstest.Fails(t, ops.Write(x, []float64{1, 2, 3}), "write tensor", "4 elements, not 3")
	opstest.Fails(t, ops.Backward(x), "backward")
	opstest.Fails(t, ops.Backward(l.Tensor([]float64{1}, false, 1)), "backward")
	if g, err := ops.Gradient(x); g != nil || err != nil {
		t.Errorf("gradient before any backward pass: %v, %v", g, err)
	}
}

// TestWithoutGradLeavesThreads: goroutines that are not locked to a thread and move between
// threads do not leave a thread that records nothing.
func TestWithoutGradLeavesThreads(t *testing.T) {
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for range 50 {
				_ = ops.WithoutGrad(func() error { runtime.Gosched(); return nil })
				runtime.Gosched()
			}
		})
	}
	wait.Wait()
	for range 16 {
		wait.Go(func() {
			runtime.LockOSThread() // so that each has a thread, which ends with it
			x, err := ops.NewParameter([]float32{1}, []int64{1}, ops.CPU)
			if err != nil {
				t.Error(err)
				return
			}
			y := x.MustMul(x, false)
			if err := ops.Backward(y); err != nil {
				t.Errorf("a thread no longer records: %v", err)
			}
			ops.Drop(x, y)
		})
	}
	wait.Wait()
}

// TestWithoutGrad: nothing is recorded inside, and the earlier setting is restored
// afterwards, also after an error.
func TestWithoutGrad(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, true)
	defer l.Drop()
	x := l.Leaf("x", 0, 1, 3)
	err := ops.WithoutGrad(func() error {
		opstest.Fails(t, ops.Backward(l.Project(x)), "backward")
		return ops.ErrNotFinite
	})
	if !errors.Is(err, ops.ErrNotFinite) {
		t.Errorf("the error is returned as %v", err)
	}
	if err := ops.Backward(l.Project(x)); err != nil {
		t.Errorf("gradients are not recorded afterwards: %v", err)
	}
}
