package ops

import "pacia/cuda"

// Errors of a device that have nothing to do with the operation.
var (
	ErrOutOfMemory = cuda.ErrOutOfMemory // with less to do at once the same may go well
	ErrDeviceLost  = cuda.ErrLost        // the device answers this process no more
)

// PeakMemory returns the most bytes that libtorch has held on a device named as
// for ParseDevice.
func PeakMemory(device string) (uint64, error) {
	d, err := ParseDevice(device)
	if err != nil || d == CPU {
		return 0, err
	}
	return cuda.PeakMemory(int(d))
}
