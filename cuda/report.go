package cuda

// Report says what this machine has for running the kernels.
type Report struct {
	Driver  string // its version and that of the CUDA it knows, empty without one
	Devices []Device
	NVRTC   string // version and file of the compiler for the first device, or empty
	Cache   string // folder in which compiled kernels are kept
	Problem string // what keeps the kernels from running, in one line, or empty
}

// Device is a GPU.
type Device struct {
	Name        string
	Capability  [2]int // major, minor
	MemoryBytes uint64
}

// Describe looks. It never fails, and leaves libtorch alone.
func Describe() Report {
	return Report{Problem: "this program was built for the CPU"}
}
