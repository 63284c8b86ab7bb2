package cuda

import (
	"errors"
	"strings"
)

// libtorch, cuBLAS and the driver tell what went wrong on a device in words
// alone, by the time it gets here. What that means is looked up once, by Classified,
// where an error comes out of C++.
var (
	// ErrOutOfMemory: with less to do at once the same may go well.
	ErrOutOfMemory = errors.New("the device is out of memory")
	// ErrLost: the device answers this process no more.
	ErrLost = errors.New("the device is lost")
)

// Classified wraps an error in what its words tell of a device, if anything.
func Classified(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrOutOfMemory) || errors.Is(err, ErrLost):
		return err
	case says(err, ErrLost.Error()) || lost(err):
		return &deviceError{ErrLost, err}
	case says(err, ErrOutOfMemory.Error()) || outOfMemory(err):
		return &deviceError{ErrOutOfMemory, err}
	}
	return err
}

// deviceError is an error of a kind. One that has been through C++ as words may name
// its kind already.
type deviceError struct{ kind, err error }

func (e *deviceError) Error() string {
	if says(e.err, e.kind.Error()) {
		return e.err.Error()
	}
	return e.kind.Error() + ": " + e.err.Error()
}

func (e *deviceError) Unwrap() []error { return []error{e.kind, e.err} }

// outOfMemory says whether an error tells of too little memory on a device. Of a lack
// of it cublasCreate says only that it could not initialise; of cuSOLVER the like.
func outOfMemory(err error) bool {
	return says(err,
		"CUDA out of memory",         // libtorch's allocator
		"CUDA error: out of memory",  // libtorch, of the runtime
		"captures_underway == 0",     // libtorch's allocator, when it would give memory back but must not
		"CUDA_ERROR_OUT_OF_MEMORY",   // the driver
		"CUBLAS_STATUS_ALLOC_FAILED", // cuBLAS
		"CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate",
		"CUSOLVER_STATUS_ALLOC_FAILED", // cuSOLVER
		"CUSOLVER_STATUS_NOT_INITIALIZED when calling `cusolverDnCreate",
		"cusolver error: CUSOLVER_STATUS_NOT_INITIALIZED, when calling `cusolverDnCreate")
}

// lost says whether an error tells that a device is no longer there for this
// process: gone, broken, or its context left by a kernel in a state in which
// every later call fails. The words are those of CUDA 11 to 13.
func lost(err error) bool {
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
