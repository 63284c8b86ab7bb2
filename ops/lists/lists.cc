// The C interface of lists of tensors.
#include "core/libtorch.hh"

#include "lists.h"

#include <ATen/core/grad_mode.h>

#include "core/base.hh"
#include "core/guarded.hh"
#include "core/turn.hh"

namespace {

using pacia::Tensor, pacia::guarded;

Tensor &tensor(pacia_tensor t) { return *static_cast<Tensor *>(t); }

Tensor dense(const Tensor &t) { return t.is_sparse() ? t.to_dense() : t; }

}  // namespace

extern "C" {

char *pacia_list_new(const pacia_tensor *like, int64_t n, bool doubles, pacia_tensor *out) {
  return guarded([&] {
    at::NoGradGuard no_grad;
    for (int64_t i = 0; i < n; i++) {
      const auto t = tensor(like[i]).detach();
      out[i] = new Tensor(at::zeros_like(t, t.options().dtype(doubles ? at::kDouble : t.scalar_type())));
    }
  });
}

char *pacia_list_add(const pacia_tensor *to, double a, const pacia_tensor *from, double b, int64_t n,
                     bool gradients) {
  return guarded([&] {
    at::NoGradGuard no_grad;
    for (int64_t i = 0; i < n; i++) {
      auto x = tensor(to[i]).detach();
      auto y = gradients ? tensor(from[i]).grad() : tensor(from[i]).detach();
      if (a == 0 && b == 1 && y.defined()) {
        x.copy_(dense(y));
        continue;
      }
      if (a == 0)
        x.zero_();
      else if (a != 1)
        x.mul_(a);
      if (b != 0 && y.defined()) x.add_(dense(y).to(x.scalar_type()), b);
    }
  });
}

char *pacia_list_set_gradients(const pacia_tensor *to, const pacia_tensor *from, int64_t n) {
  return guarded([&] {
    at::NoGradGuard no_grad;
    for (int64_t i = 0; i < n; i++) {
      auto &x = tensor(to[i]);
      const auto y = tensor(from[i]).detach();
      x.mutable_grad() = at::empty_like(x.detach()).copy_(y);
    }
  });
}

char *pacia_list_norm(const pacia_tensor *of, int64_t n, double *norm) {
  return guarded([&] {
    at::NoGradGuard no_grad;
    double sum = 0;
    const auto locked = n > 0 ? pacia::turn(tensor(of[0])) : std::unique_lock<std::mutex>();
    for (int64_t i = 0; i < n; i++) {
      const auto t = tensor(of[i]).detach().to(at::kDouble).flatten();
      sum += t.dot(t).item<double>();
    }
    *norm = std::sqrt(sum);
  });
}

}  // extern "C"
