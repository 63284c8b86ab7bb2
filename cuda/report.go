package cuda

import (
	"fmt"
	"os"
	"strings"
)

// Report describes what this machine has for running the kernels.
type Report struct {
	Driver  string // its version and the CUDA version it supports, empty without a driver
	Devices []Device
	NVRTC   string // version and file of the compiler for the first device, or empty
	Cache   string // folder in which compiled kernels are kept
	Problem string // why the kernels cannot run, in one line, or empty
}

// Device is a GPU.
type Device struct {
	Name        string
	Capability  [2]int // major, minor
	MemoryBytes uint64
}

// Describe returns a report. It never fails, and does not use libtorch.
func Describe() Report {
	var r Report
	problem := func(err error) {
		if err != nil && r.Problem == "" {
			r.Problem = strings.Join(strings.Fields(err.Error()), " ")
		}
	}
	var err error
	r.Cache, err = cacheFolder()
	problem(err)
	found, err := compilers()
	if err == nil {
		r.NVRTC = found[0].String()
	}
	driver, driverErr := openDriver(driverFile)
	problem(driverErr)
	problem(err)
	if driverErr != nil {
		return r
	}
	r.Driver = driverVersion(driver.version)
	r.Devices, err = driver.devices()
	problem(err)
	if len(r.Devices) > 0 && len(found) > 0 {
		c, _, err := choose(found, r.Devices[0].capability(), driver.version)
		problem(err)
		if err == nil {
			r.NVRTC = c.String()
		}
	}
	return r
}

// driverVersion returns the CUDA version of the driver, with the driver's own version if
// the system reports it.
func driverVersion(cuda int) string {
	text, err := os.ReadFile("/sys/module/nvidia/version")
	if err != nil {
		return "CUDA " + cudaVersion(cuda)
	}
	return fmt.Sprintf("%s (CUDA %s)", strings.TrimSpace(string(text)), cudaVersion(cuda))
}
