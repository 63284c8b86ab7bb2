package cuda

import "strings"

// libtorch, cuBLAS and the driver tell what went wrong on a device in words
// alone, by the time it gets here.

// OutOfMemory says whether an error tells of too little memory on a device:
// with less to do at once the same may go well.
func OutOfMemory(err error) bool {
	return says(err,
		"CUDA out of memory",           // libtorch's allocator
		"CUDA error: out of memory",    // libtorch, of the runtime
		"CUDA_ERROR_OUT_OF_MEMORY",     // the driver
		"CUBLAS_STATUS_ALLOC_FAILED",   // cuBLAS
		"CUSOLVER_STATUS_ALLOC_FAILED") // cuSOLVER
}

// Lost says whether an error tells that a device is no longer there for this
// process: gone, broken, or its context left by a kernel in a state in which
// every later call fails. The words are those of CUDA 11 to 13.
func Lost(err error) bool {
	return says(err,
		"no CUDA-capable device is detected",
		"CUDA-capable device(s) is/are busy or unavailable",
		"uncorrectable ECC error",
		"uncorrectable NVLink error",
		"hardware error",
		"hardware stack error",
		"context is destroyed",
		"driver shutting down",
		"MPS client has been terminated",
		"OS call failed",
		"unspecified launch failure",
		"the launch timed out and was terminated",
		"an illegal memory access was encountered",
		"an illegal instruction was encountered",
		"misaligned address",
		"invalid program counter",
		"operation not supported on global/shared address space",
		"device-side assert triggered",
		"CUBLAS_STATUS_EXECUTION_FAILED",
		"CUDA error: unknown error", // as libtorch puts it
		"CUDA_ERROR_UNKNOWN")        // as launches of this package do
}

func says(err error, words ...string) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
