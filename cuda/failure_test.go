package cuda

import (
	"errors"
	"fmt"
	"testing"
)

func TestFailuresAreTold(t *testing.T) {
	for _, c := range []struct {
		text         string
		memory, lost bool
	}{
		{"CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.70 GiB total capacity; …)", true, false},
		{"CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported", true, false},
		{"kernel dropout on 1 x 1 blocks of 32 threads: CUDA_ERROR_OUT_OF_MEMORY: out of memory", true, false},
		{"CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", true, false},
		{"CUDA error: no CUDA-capable device is detected", false, true},
		{"CUDA error: CUDA-capable device(s) is/are busy or unavailable", false, true},
		{"CUDA error: uncorrectable ECC error encountered", false, true},
		{"CUDA error: uncorrectable NVLink error detected during the execution", false, true},
		{"CUDA error: unspecified launch failure", false, true},
		{"kernel dropout: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure", false, true},
		{"CUDA error: an illegal memory access was encountered", false, true},
		{"CUDA error: unknown error\nCUDA kernel errors", false, true},
		{"CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, …)`", false, true},
		{"CUDA error: operation not permitted when stream is capturing", false, false},
		{"CUDA error: invalid device ordinal", false, false},
		{"CUDA driver version is insufficient for CUDA runtime version", false, false},
		{"runs/last.ckpt: no space left on device", false, false},
	} {
		err := fmt.Errorf("step 3: %w", errors.New(c.text))
		if OutOfMemory(err) != c.memory || Lost(err) != c.lost {
			t.Errorf("%q: out of memory %t, want %t; lost %t, want %t", c.text, OutOfMemory(err), c.memory, Lost(err), c.lost)
		}
	}
	if OutOfMemory(nil) || Lost(nil) {
		t.Error("no error is one")
	}
}
