package ops

// #include "core/op.h"
// #include "tensors/tensors.h"
import "C"

// BuildInfo describes the libraries that the operations were compiled against,
// and the devices that answer.
type BuildInfo struct {
	Torch    string // version of libtorch
	CXX11ABI int    // 0 or 1, _GLIBCXX_USE_CXX11_ABI of libtorch
	CUDA     string // version of the CUDA runtime linked in, empty for a CPU build
	Devices  int    // CUDA devices that answer
}

// Info asks libtorch.
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

// SetThreads sets the threads of an operation for the calling OS thread.
func SetThreads(n int) { C.pacia_set_threads(C.int(n)) }

// Threads returns the threads of an operation on the calling OS thread.
func Threads() int { return int(C.pacia_threads()) }

// Precision is that of the factors of matrix products; sums are in float32.
type Precision int

// The precisions.
const (
	Float32 Precision = C.PACIA_FLOAT32
	TF32    Precision = C.PACIA_TF32 // 11 bits of mantissa, on GPUs
	BF16    Precision = C.PACIA_BF16 // 8 bits, on the CPU where HasBF16
)

// SetPrecision sets the precision of products for the whole process.
func SetPrecision(p Precision) { C.pacia_set_precision(C.pacia_precision(p)) }

// HasBF16 reports whether the CPU has a unit for products of factors in bf16.
func HasBF16() bool { return bool(C.pacia_has_bf16()) }

// Products names the maker of the matrix products on the CPU.
func Products() string { return C.GoString(C.pacia_products()) }

// Emulate makes operations on the CPU, called from this OS thread, run the
// kernels that they have for a GPU, on an emulator. It is for tests: a kernel
// takes a thousand times as long so.
func Emulate(on bool) { C.pacia_emulate(C.int(flag(on))) }

// EmulateBackwards is Emulate with the blocks of a kernel, and the threads of a
// block, in the other order: a kernel that gives another result then has a race.
func EmulateBackwards() { C.pacia_emulate(2) }

// Emulating reports what Emulate set for this OS thread.
func Emulating() bool { return C.pacia_emulating() != 0 }

// Launches counts the kernels of package cuda that this process has started.
// Replays of a CUDA graph do not count.
func Launches() int64 { return int64(C.pacia_launches()) }

// rowThreads is how many threads a kernel has for each row of d elements.
func rowThreads(d int64) int { return int(C.pacia_row_threads(C.int64_t(d))) }

// overlaps counts the kernels on the emulator that began while another thread was
// inside one.
func overlaps() int64 { return int64(C.pacia_overlaps()) }
