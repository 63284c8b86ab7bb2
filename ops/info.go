package ops

// #include "core/op.h"
// #include "tensors/tensors.h"
import "C"

// BuildInfo describes the libraries that the operations were compiled against,
// and the available devices.
type BuildInfo struct {
	Torch    string // version of libtorch
	CXX11ABI int    // 0 or 1, _GLIBCXX_USE_CXX11_ABI of libtorch
	CUDA     string // version of the CUDA runtime linked in, empty for a CPU build
	Devices  int    // available CUDA devices
}

// Info returns information from libtorch.
func Info() (BuildInfo, error) {
	var c C.pacia_build_info
	if err := failure(C.pacia_info(&c)); err != nil {
		return BuildInfo{}, err
	}
	return BuildInfo{
		Torch:    C.GoString(&c.torch[0]),
		CXX11ABI: int(c.cxx11_abi),
		CUDA:     C.GoString(&c.cuda[0]),
		Devices:  int(c.devices),
	}, nil
}

// SetThreads sets the number of threads of an operation for the calling OS thread.
func SetThreads(n int) { C.pacia_set_threads(C.int(n)) }

// Threads returns the number of threads of an operation on the calling OS thread.
func Threads() int { return int(C.pacia_threads()) }

// Precision is the precision of the factors of matrix products. Sums are in float32.
type Precision int

// The precisions.
const (
	Float32 Precision = C.PACIA_FLOAT32
	TF32    Precision = C.PACIA_TF32 // 11 bits of mantissa, on GPUs
	BF16    Precision = C.PACIA_BF16 // 8 bits, on the CPU if HasBF16
)

// SetPrecision sets the precision of products for the whole process.
func SetPrecision(p Precision) { C.pacia_set_precision(C.pacia_precision(p)) }

// HasBF16 reports whether the CPU has a unit for products of factors in bf16.
func HasBF16() bool { return bool(C.pacia_has_bf16()) }

// Products returns the name of the implementation of matrix products on the CPU.
func Products() string { return C.GoString(C.pacia_products()) }

// Emulate makes operations on the CPU, called from this OS thread, run their GPU
// kernels on an emulator. It is for tests: a kernel takes a thousand times as long.
func Emulate(on bool) { C.pacia_emulate(C.int(Flag(on))) }

// EmulateBackwards is like Emulate, with the blocks of a kernel, and the threads of a
// block, in reverse order. A kernel with another result then has a race.
func EmulateBackwards() { C.pacia_emulate(2) }

// Emulating reports whether Emulate is on for this OS thread.
func Emulating() bool { return C.pacia_emulating() != 0 }

// Launches counts the kernels of package cuda that this process has started.
// Replays of a CUDA graph do not count.
func Launches() int64 { return int64(C.pacia_launches()) }

// rowThreads returns the number of threads of a kernel for each row of d elements.
func rowThreads(d int64) int { return int(C.pacia_row_threads(C.int64_t(d))) }

// overlaps counts the kernels on the emulator that began while another thread was
// inside one.
func overlaps() int64 { return int64(C.pacia_overlaps()) }
