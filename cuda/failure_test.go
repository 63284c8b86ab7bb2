package cuda

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestFailuresAreClassified(t *testing.T) {
	for _, c := range []struct {
		text         string
		memory, lost bool
	}{
		{"CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.70 GiB total capacity; …)", true, false},
		{"CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported", true, false},
		{"kernel dropout on 1 x 1 blocks of 32 threads: CUDA_ERROR_OUT_OF_MEMORY: out of memory", true, false},
		{"CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", true, false},
		{"CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`", true, false},
		{"CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasSgemm( handle, …)`", false, false},
		{"cusolver error: CUSOLVER_STATUS_NOT_INITIALIZED, when calling `cusolverDnCreate(handle)`", true, false},
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
		plain := errors.New(c.text)
		err := fmt.Errorf("step 3: %w", Classified(plain))
		memory, lost := errors.Is(err, ErrOutOfMemory), errors.Is(err, ErrLost)
		if memory != c.memory || lost != c.lost {
			t.Errorf("%q: out of memory %t, want %t; lost %t, want %t", c.text, memory, c.memory, lost, c.lost)
		}
		if !errors.Is(err, plain) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q became %q", c.text, err)
		}
		// Again, through C++, which passes only the text.
		again := Classified(errors.New(err.Error()))
		if again.Error() != err.Error() || errors.Is(again, ErrOutOfMemory) != c.memory || errors.Is(again, ErrLost) != c.lost {
			t.Errorf("%q became %q the second time", err, again)
		}
	}
	if Classified(nil) != nil {
		t.Error("nil is classified as an error")
	}
}
