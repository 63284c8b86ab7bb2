// Which device the kernels of package cuda run on: the one of their tensors, or,
// for tests, an emulator of it on the CPU.
#pragma once

#include "base.hh"

namespace pacia {

// Emulation is whether kernels run on the emulator where otherwise loops would,
// and in which order their threads do: a setting of tests, for the calling thread.
enum class Emulation : int { off, forwards, backwards };
Emulation &emulating();

// by_loops reports whether loops are fastest for a tensor, or else kernels.
inline bool by_loops(const Tensor &t) {
  return t.device().is_cpu() && emulating() == Emulation::off;
}

}  // namespace pacia
