// The C interface of tensors.
#include "core/libtorch.hh"

#include "tensors.h"

#include <ATen/core/grad_mode.h>
#include <ATen/Context.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/version.h>

#include "core/guarded.hh"
#include "core/turn.hh"
#include "host.hh"
#include "product/product.hh"
#include "slab.hh"

namespace {

using pacia::Tensor, pacia::guarded;

Tensor &tensor(pacia_tensor t) { return *static_cast<Tensor *>(t); }

pacia::Slab &slab(pacia_slab *s) { return *reinterpret_cast<pacia::Slab *>(s); }

}  // namespace

extern "C" {

char *pacia_backward(pacia_tensor loss) {
  return guarded([&] {
    const auto mine = pacia::turn(tensor(loss));
    torch::autograd::backward({tensor(loss)}, {});
  });
}

bool pacia_grad_enabled(void) { return at::GradMode::is_enabled(); }
void pacia_set_grad_enabled(bool enabled) { at::GradMode::set_enabled(enabled); }

char *pacia_slab_new(int64_t bytes, int device, pacia_slab **out) {
  return guarded([&] { *out = reinterpret_cast<pacia_slab *>(new pacia::Slab(bytes, device)); });
}

char *pacia_slab_next(pacia_slab *s, void **host) {
  return guarded([&] { *host = slab(s).next(); });
}

char *pacia_slab_send(pacia_slab *s) {
  return guarded([&] { slab(s).send(); });
}

char *pacia_slab_view(pacia_slab *s, int64_t offset, int dtype, const int64_t *shape, int64_t rank,
                      pacia_tensor *out) {
  return guarded([&] {
    *out = new Tensor(slab(s).view(offset, dtype, {shape, static_cast<size_t>(rank)}));
  });
}

uint64_t pacia_address(pacia_tensor t) { return reinterpret_cast<uint64_t>(tensor(t).data_ptr()); }

void pacia_slab_free(pacia_slab *s) { delete &slab(s); }

char *pacia_forget_grads(const pacia_tensor *params, int64_t n) {
  return guarded([&] {
    for (int64_t i = 0; i < n; i++) tensor(params[i]).mutable_grad() = Tensor();
  });
}

char *pacia_from_host(const void *data, const int64_t *shape, int64_t rank, int dtype, int device,
                      bool requires_grad, pacia_tensor *out) {
  return guarded([&] {
    *out = new Tensor(pacia::from_host(data, {shape, static_cast<size_t>(rank)}, dtype, device,
                                       requires_grad));
  });
}

char *pacia_read(pacia_tensor t, int dtype, void *data, int64_t elements) {
  return guarded([&] { pacia::read(tensor(t), dtype, data, elements); });
}

char *pacia_write(pacia_tensor t, int dtype, const void *data, int64_t elements) {
  return guarded([&] { pacia::write(tensor(t), dtype, data, elements); });
}

char *pacia_set_rows(pacia_tensor table, pacia_tensor which, pacia_tensor rows) {
  return guarded([&] { tensor(table).index_copy_(0, tensor(which), tensor(rows)); });
}

char *pacia_read_grad(pacia_tensor t, double *data, int64_t elements, bool *defined) {
  return guarded([&] {
    auto g = tensor(t).grad();
    *defined = g.defined();
    if (g.defined()) pacia::read(g, 4, data, elements);
  });
}

void pacia_set_threads(int n) { at::set_num_threads(n); }
int pacia_threads(void) { return at::get_num_threads(); }
void pacia_set_precision(pacia_precision p) {
  at::globalContext().setAllowTF32CuBLAS(p == PACIA_TF32);
  pacia::round_to_bf16(p == PACIA_BF16);
}
bool pacia_has_bf16(void) { return pacia::has_bf16(); }

const char *pacia_products(void) { return pacia::product_implementation(); }

char *pacia_info(pacia_build_info *info) {
  return guarded([&] {
    std::snprintf(info->torch, sizeof info->torch, "%s", TORCH_VERSION);
    info->cxx11_abi = _GLIBCXX_USE_CXX11_ABI;
    const auto &cuda = at::detail::getCUDAHooks();
    info->devices = cuda.hasCUDA() ? static_cast<int>(cuda.getNumGPUs()) : 0;
    // In a program that is not linked with libtorch's CUDA part, the hook for the version throws
    // an exception.
    try {
      const long version = cuda.versionCUDART();
      std::snprintf(info->cuda, sizeof info->cuda, "%ld.%ld", version / 1000, version % 1000 / 10);
    } catch (const c10::Error &) {
    }
  });
}

}  // extern "C"
