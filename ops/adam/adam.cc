// The C interface of Adam.
#include "core/libtorch.hh"

#include "adam.h"

#include "adam.hh"
#include "adamtable.hh"
#include "core/guarded.hh"

namespace {

using pacia::Tensor, pacia::guarded;

Tensor &tensor(pacia_tensor t) { return *static_cast<Tensor *>(t); }

pacia::AdamTable &adam_table(pacia_adam_table *t) {
  return *reinterpret_cast<pacia::AdamTable *>(t);
}

std::vector<Tensor> tensors(const pacia_tensor *t, int64_t n) {
  std::vector<Tensor> v;
  for (int64_t i = 0; i < n; i++) v.push_back(t[i] ? tensor(t[i]) : Tensor());
  return v;
}

}  // namespace

extern "C" {

char *pacia_adam(const pacia_tensor *params, const pacia_tensor *m, const pacia_tensor *v,
                 const pacia_tensor *made, bool *had, int64_t n, const pacia_adam_options *options,
                 double *grad_norm) {
  return guarded([&] {
    *grad_norm = pacia::adam(tensors(params, n), tensors(m, n), tensors(v, n), tensors(made, n), had,
                              *options);
  });
}

char *pacia_adam_catch_up(pacia_tensor param, pacia_tensor m, pacia_tensor v, pacia_tensor made,
                          const int64_t *rows, int64_t n, const pacia_adam_options *options) {
  return guarded([&] {
    at::NoGradGuard no_grad;
    pacia::catch_up({tensor(param).detach(), tensor(m), tensor(v), tensor(made)}, rows,
                    rows ? n : tensor(param).size(0), *options, options->step);
  });
}

char *pacia_adam_table_new(const pacia_tensor *params, const pacia_tensor *m, const pacia_tensor *v,
                           int64_t n, pacia_adam_table **out) {
  static_assert(int{PACIA_ADAM_STEPS} == int{pacia::kAdamSteps} &&
                int{PACIA_ADAM_NUMBERS} == int{pacia::kAdamNumbers});
  return guarded([&] {
    *out = reinterpret_cast<pacia_adam_table *>(
        new pacia::AdamTable(tensors(params, n), tensors(m, n), tensors(v, n)));
  });
}

char *pacia_adam_table_launch(pacia_adam_table *table, pacia_tensor loss, pacia_tensor numbers,
                              pacia_tensor log, const pacia_adam_options *options, bool clear,
                              bool capturing) {
  return guarded([&] {
    adam_table(table).launch(loss ? tensor(loss) : Tensor(), tensor(numbers), tensor(log),
                             pacia::adam_options(*options), clear, capturing);
  });
}

char *pacia_adam_table_place(pacia_adam_table *table) {
  return guarded([&] { adam_table(table).place(); });
}

void pacia_adam_table_free(pacia_adam_table *table) { delete &adam_table(table); }

}  // extern "C"
