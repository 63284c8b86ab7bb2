// Runs operations: the one place that decides which of their forms it is.
#include "core/libtorch.hh"

#include "core/args.hh"
#include "core/emulation.hh"
#include "core/guarded.hh"

namespace pacia {

Emulation &emulating() {
  static thread_local Emulation how = Emulation::off;
  return how;
}

namespace {

// form is what runs op by a path; null where it has no form of its own.
Form form(const pacia_op &op, pacia_path path) {
  switch (path) {
    case PACIA_LOOPS: return op.loops;
    case PACIA_KERNELS: return op.kernels;
    default: return op.plain;
  }
}

// fastest is the path for an operation on the first of its inputs.
pacia_path fastest(const pacia_args &a) {
  for (int64_t i = 0; i < a.n_in; i++)
    if (a.in[i]) return by_loops(*static_cast<Tensor *>(a.in[i])) ? PACIA_LOOPS : PACIA_KERNELS;
  return PACIA_PLAIN;
}

void run(const pacia_op &op, pacia_path path, const pacia_args *args) {
  if (path == PACIA_FASTEST) path = fastest(*args);
  const Form own = form(op, path);
  Args a(args);
  (own ? own : op.plain)(a);
  a.end();
}

}  // namespace

}  // namespace pacia

extern "C" {

char *pacia_run(const pacia_op *op, pacia_path path, const pacia_args *args) {
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
