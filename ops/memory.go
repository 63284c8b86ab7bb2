package ops

import "pacia/cuda"

// Errors of a device that have nothing to do with the operation.
var (
	ErrOutOfMemory = cuda.ErrOutOfMemory // with smaller batches the same work may succeed
	ErrDeviceLost  = cuda.ErrLost        // this process can no longer use the device
)

// PeakMemory returns the largest number of bytes that libtorch has held on a device, named
// as for ParseDevice.
func PeakMemory(device string) (uint64, error) {
	d, err := ParseDevice(device)
	if err != nil || d == CPU {
		return 0, err
	}
	return cuda.PeakMemory(int(d))
}
