// Where the kernels of package cuda run: on the device of their tensors, or, for tests, on an
// emulator on the CPU.
#pragma once

#include "base.hh"

namespace pacia {

// Emulation selects whether kernels run on the emulator in place of loops, and the order of
// their threads. Tests set it for the calling thread.
enum class Emulation : int { off, forwards, backwards };
Emulation &emulating();

// by_loops reports whether loops are the fastest form for a tensor; otherwise kernels are.
inline bool by_loops(const Tensor &t) {
  return t.device().is_cpu() && emulating() == Emulation::off;
}

}  // namespace pacia
