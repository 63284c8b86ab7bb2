// Mutual exclusion of threads that put the work of operations on GPUs.
#pragma once

#include <mutex>

#include "emulation.hh"

namespace pacia {

// turn blocks until no other thread of the process has the turn, for an operation or a backward
// pass. The calling thread then has it until the returned lock is released. If loops are used
// for like, turn returns an empty lock at once.
//
// Every product looks up the workspace of its cuBLAS handle and stream in a map of the process,
// and adds it at the first use. libtorch 2.0 does so without a lock
// (at::cuda::getCurrentCUDABlasHandle; later versions have one). So replicas, threads that
// score, and autograd's thread must take turns. Autograd's thread only works while the thread
// that called it waits here. Operations only put work on a stream, so that other threads wait
// for microseconds. Replays of graphs, copies and reads need no turn.
std::unique_lock<std::mutex> turn(const Tensor &like);

}  // namespace pacia
