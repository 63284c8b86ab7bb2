// Runs operations. Only this file selects which form of an operation runs.
#include "core/libtorch.hh"

#include "core/args.hh"
#include "core/emulation.hh"
#include "core/guarded.hh"
#include "core/turn.hh"
#include "core/waits.h"

namespace pacia {

Emulation &emulating() {
  static thread_local Emulation how = Emulation::off;
  return how;
}

std::unique_lock<std::mutex> turn(const Tensor &like) {
  static std::mutex one;
  if (by_loops(like)) return {};
  return std::unique_lock<std::mutex>(one);
}

namespace {

// form returns op's function for a path, or null if it has no such form.
Form form(const pacia_op &op, pacia_path path) {
  switch (path) {
    case PACIA_LOOPS: return op.loops;
    case PACIA_KERNELS: return op.kernels;
    default: return op.plain;
  }
}

// first returns the first input of an operation that is not null, or null if there is none.
const Tensor *first(const pacia_args &a) {
  for (int64_t i = 0; i < a.n_in; i++)
    if (a.in[i]) return static_cast<Tensor *>(a.in[i]);
  return nullptr;
}

void run(const pacia_op &op, pacia_path path, const pacia_args *args) {
  const Tensor *like = first(*args);
  const auto mine = like ? turn(*like) : std::unique_lock<std::mutex>();
  if (path == PACIA_FASTEST) path = !like ? PACIA_PLAIN : by_loops(*like) ? PACIA_LOOPS : PACIA_KERNELS;
  const Form own = form(op, path);
  Args a(args);
  (own ? own : op.plain)(a);
  a.end();
}

}  // namespace

}  // namespace pacia

extern "C" {

char *pacia_run(const pacia_op *op, pacia_path path, const pacia_args *args) {
  pacia_fit_waits();
  return pacia::guarded([&] {
    try {
      pacia::run(*op, path, args);
    } catch (...) {
      for (int64_t i = 0; i < args->n_out; i++) {
        delete static_cast<at::Tensor *>(args->out[i]);
        args->out[i] = nullptr;
      }
      throw;
    }
  });
}

const char *pacia_op_name(const pacia_op *op) { return op->name; }
bool pacia_has(const pacia_op *op, pacia_path path) { return pacia::form(*op, path) != nullptr; }

bool pacia_by_kernels(pacia_tensor t) { return !pacia::by_loops(*static_cast<at::Tensor *>(t)); }

void pacia_emulate(int how) { pacia::emulating() = static_cast<pacia::Emulation>(how); }
int pacia_emulating(void) { return static_cast<int>(pacia::emulating()); }

}  // extern "C"
