package cuda

// #include "torch.h"
import "C"

import (
	"log/slog"
	"unsafe"
)

// own are the streams of UseOwnStream.
var own = streams{create: func(device int) (stream unsafe.Pointer, err error) {
	err = failure(C.pacia_torch_new_stream(C.int(device), &stream))
	return stream, err
}}

// UseOwnStream gives the calling OS thread an exclusive stream on a device. All its work
// there goes to this stream until restore is called on the same thread. A CUDA graph is
// captured on such a stream, and threads with their own streams work in parallel. The
// thread must be locked, and its work on the stream must be finished before restore.
func UseOwnStream(device int) (restore func(), err error) {
	stream, err := own.take(device)
	if err != nil {
		return nil, err
	}
	var before *C.pacia_place
	if err := failure(C.pacia_torch_use_stream(C.int(device), stream, &before)); err != nil {
		own.give(device, stream)
		return nil, err
	}
	return func() {
		if err := failure(C.pacia_torch_restore(before)); err != nil {
			slog.Warn("a thread keeps a CUDA stream that it gave back", "error", err)
			return
		}
		own.give(device, stream)
	}, nil
}

// Synchronize waits until all work submitted to the calling thread's current stream of a
// device is done.
func Synchronize(device int) error {
	return failure(C.pacia_torch_synchronize(C.int(device)))
}

// FreeCached releases memory that libtorch keeps for reuse. No graph may be captured
// meanwhile.
func FreeCached() error { return failure(C.pacia_torch_free_cached()) }

// PeakMemory returns the most bytes that libtorch has held on a device.
func PeakMemory(device int) (uint64, error) {
	var bytes C.uint64_t
	err := failure(C.pacia_torch_memory(C.int(device), &bytes))
	return uint64(bytes), err
}
