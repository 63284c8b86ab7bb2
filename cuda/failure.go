package cuda

import (
	"errors"
	"strings"
)

// Errors of libtorch, cuBLAS and the driver arrive here as text alone. Classified
// finds their kind by this text, once, when an error comes out of C++.
var (
	// ErrOutOfMemory: with smaller batches the same work may succeed.
	ErrOutOfMemory = errors.New("the device is out of memory")
	// ErrLost: this process can no longer use the device.
	ErrLost = errors.New("the device is lost")
)

// Classified wraps an error in ErrLost or ErrOutOfMemory if its text indicates one of them.
func Classified(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrOutOfMemory) || errors.Is(err, ErrLost):
		return err
	case contains(err, ErrLost.Error()) || lost(err):
		return &deviceError{ErrLost, err}
	case contains(err, ErrOutOfMemory.Error()) || outOfMemory(err):
		return &deviceError{ErrOutOfMemory, err}
	}
	return err
}

// deviceError is an error with its kind. The text of an error that has passed through C++
// may already contain its kind.
type deviceError struct{ kind, err error }

func (e *deviceError) Error() string {
	if contains(e.err, e.kind.Error()) {
		return e.err.Error()
	}
	return e.kind.Error() + ": " + e.err.Error()
}

func (e *deviceError) Unwrap() []error { return []error{e.kind, e.err} }

// outOfMemory reports whether the text of an error indicates too little memory on a device.
// In this case cublasCreate and cusolverDnCreate only report that they could not initialise.
func outOfMemory(err error) bool {
	return contains(err,
		"CUDA out of memory",         // libtorch's allocator
		"CUDA error: out of memory",  // libtorch, of the runtime
		"captures_underway == 0",     // libtorch's allocator, when it must release memory during a capture
		"CUDA_ERROR_OUT_OF_MEMORY",   // the driver
		"CUBLAS_STATUS_ALLOC_FAILED", // cuBLAS
		"CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate",
		"CUSOLVER_STATUS_ALLOC_FAILED", // cuSOLVER
		"CUSOLVER_STATUS_NOT_INITIALIZED when calling `cusolverDnCreate",
		"cusolver error: CUSOLVER_STATUS_NOT_INITIALIZED, when calling `cusolverDnCreate")
}

// lost reports whether the text of an error indicates that this process can no longer use
// a device: it is gone or broken, or a kernel has left its context in a state that makes
// every later call fail. The texts are those of CUDA 11 to 13.
func lost(err error) bool {
	return contains(err,
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
		"CUDA error: unknown error", // libtorch
		"CUDA_ERROR_UNKNOWN")        // launches of this package
}

func contains(err error, words ...string) bool {
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
