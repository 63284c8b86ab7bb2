package ops

import (
	"errors"
	"fmt"

	"pacia/cuda"
)

// What can go wrong on a device that has nothing to do with the operation.
var (
	// ErrOutOfMemory: with less to do at once the same may go well.
	ErrOutOfMemory = errors.New("the device is out of memory")
	// ErrDeviceLost: the device answers this process no more.
	ErrDeviceLost = errors.New("the device is lost")
)

// classified wraps an error of the C++ layer in what it tells of the device.
func classified(err error) error {
	switch {
	case cuda.OutOfMemory(err):
		return fmt.Errorf("%w: %w", ErrOutOfMemory, err)
	case cuda.Lost(err):
		return fmt.Errorf("%w: %w", ErrDeviceLost, err)
	}
	return err
}

// PeakMemory returns the most bytes that libtorch has held on a device named as
// for ParseDevice.
func PeakMemory(device string) (uint64, error) {
	d, err := ParseDevice(device)
	if err != nil || d == CPU {
		return 0, err
	}
	return cuda.PeakMemory(int(d))
}
