package cuda

// #include <stdlib.h>
// #include "driver.h"
import "C"

import "unsafe"

// launch starts a kernel with one number as its only argument. It is for tests, which
// cannot call C.
func launch(kernel string, doubles bool, device int, grid [3]int, argument int32, stream unsafe.Pointer) error {
	name := C.CString(kernel)
	number := (*int32)(C.malloc(C.size_t(unsafe.Sizeof(argument))))
	arguments := (*unsafe.Pointer)(C.malloc(C.size_t(unsafe.Sizeof(uintptr(0)))))
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(number))
	defer C.free(unsafe.Pointer(arguments))
	*number, *arguments = argument, unsafe.Pointer(number)
	c := C.pacia_cuda_grid{blocks_x: C.uint(grid[0]), blocks_y: C.uint(grid[1]), threads: C.uint(grid[2])}
	return failure(C.pacia_driver_launch(name, C.bool(doubles), C.int(device), c, arguments, stream))
}

// launchOnTorchStream makes an empty launch on libtorch's current stream, as ops would.
func launchOnTorchStream() error {
	name := C.CString("none")
	defer C.free(unsafe.Pointer(name))
	return failure(C.pacia_cuda_launch(name, false, 0, C.pacia_cuda_grid{}, nil))
}
