// Turns of threads at putting the work of operations on GPUs.
#pragma once

#include <mutex>

#include "emulation.hh"

namespace pacia {

// turn makes the calling thread, where like is not one for loops, the only one in the
// process that is inside an operation or a backward pass, until the returned lock
// goes.
//
// Every product looks up the workspace of its cuBLAS handle and stream in one map of
// the process, and puts it there the first time. libtorch 2.0 does so without a lock
// (at::cuda::getCurrentCUDABlasHandle; later ones have a lock of their own). So
// replicas, threads that score and autograd's thread, which works only while the one
// that called it waits here, must not do so at once. Operations only put work on a
// stream, so that the others wait for microseconds; graphs that are replayed, copies
// and reading go without.
std::unique_lock<std::mutex> turn(const Tensor &like);

}  // namespace pacia
