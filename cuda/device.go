package cuda

// #include <stdlib.h>
// #include "driver.h"
import "C"

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// driverFile is the name under which the driver's library is installed in the system.
var driverFile = "libcuda.so.1"

// From 11.7 on, CUDA can load kernels when they are first looked up, which this package
// does before any launch. Its earlier default is to load all kernels at the start, including
// those of libtorch and cuBLAS, which takes seconds and hundreds of MB. The driver reads the
// environment variable at its first use in the process.
func init() {
	const loading = "CUDA_MODULE_LOADING"
	if _, chosen := os.LookupEnv(loading); !chosen {
		if err := os.Setenv(loading, "LAZY"); err != nil {
			slog.Debug("kernels are loaded at the start", "error", err)
		}
	}
}

// driver is NVIDIA's driver.
type driver struct {
	c       *C.pacia_driver
	version int // newest CUDA version that it supports, 13000 for 13.0
}

func openDriver(file string) (*driver, error) {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	var d driver
	var version C.int
	if err := failure(C.pacia_driver_open(name, &d.c, &version)); err != nil {
		return nil, fmt.Errorf("no GPU that can be used: %w", err)
	}
	d.version = int(version)
	return &d, nil
}

// devices returns the GPUs in libtorch's order.
func (d *driver) devices() ([]Device, error) {
	var n C.int
	if err := failure(C.pacia_driver_devices(d.c, &n)); err != nil {
		return nil, err
	}
	devices := make([]Device, n)
	for i := range devices {
		var err error
		if devices[i], err = d.device(i); err != nil {
			return nil, err
		}
	}
	return devices, nil
}

func (d *driver) device(i int) (Device, error) {
	var info C.pacia_device_info
	if err := failure(C.pacia_driver_device(d.c, C.int(i), &info)); err != nil {
		return Device{}, err
	}
	return Device{
		Name:        C.GoString(&info.name[0]),
		Capability:  [2]int{int(info.major), int(info.minor)},
		MemoryBytes: uint64(info.memory),
	}, nil
}

// load compiles the kernels for a device, or takes them from the cache, and
// loads them onto it.
func (d *driver) load(device int, doubles bool) error {
	info, err := d.device(device)
	if err != nil {
		return err
	}
	found, err := compilers()
	if err != nil {
		return err
	}
	compiler, target, err := choose(found, info.capability(), d.version)
	if err != nil {
		return err
	}
	text, err := program(sources, realType(doubles))
	if err != nil {
		return err
	}
	image, err := kernelCode(compiler, text, target)
	if err != nil {
		return fmt.Errorf("compiling the kernels for %s: %w", target, err)
	}
	// Machine code contains its own length. PTX ends with a zero.
	code := C.CBytes(slices.Concat(image, []byte{0}))
	names := C.CString(strings.Join(kernelNames(text), " "))
	defer C.free(code)
	defer C.free(unsafe.Pointer(names))
	return failure(C.pacia_driver_load(d.c, C.int(device), C.bool(doubles), code, names))
}

// capability returns 86 for 8.6.
func (d Device) capability() int { return 10*d.Capability[0] + d.Capability[1] }

// kernels records which kernels were loaded, and by which driver.
var kernels struct {
	sync.Mutex
	driver *driver
	loaded map[loading]bool
}

type loading struct {
	device  int
	doubles bool
}

// Open compiles the kernels for float32 for a device, which takes seconds the first
// time, and loads them. No launch then has to load them, which matters because the
// first launch may be captured in a graph. Kernels for float64, which only tests of
// accuracy use, are loaded at their first launch.
func Open(device int) error { return prepare(device, false) }

func prepare(device int, doubles bool) error {
	kernels.Lock()
	defer kernels.Unlock()
	what := loading{device, doubles}
	if kernels.loaded[what] {
		return nil
	}
	if kernels.driver == nil {
		d, err := openDriver(driverFile)
		if err != nil {
			return err
		}
		kernels.driver, kernels.loaded = d, map[loading]bool{}
	}
	if err := kernels.driver.load(device, doubles); err != nil {
		return err
	}
	kernels.loaded[what] = true
	return nil
}

// paciaCudaPrepare calls prepare for a launch of kernels that are not loaded.
//
//export paciaCudaPrepare
func paciaCudaPrepare(device C.int, doubles C.bool) *C.char {
	if err := prepare(int(device), bool(doubles)); err != nil {
		return C.CString(err.Error())
	}
	return nil
}
