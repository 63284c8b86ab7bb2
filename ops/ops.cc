// The C interface of the operations. They are headers of one translation
// unit: libtorch's own headers take most of a minute to compile, once.
#include "product/simd.hh"

#include "ops.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/version.h>

#include "adam.hh"
#include "adamtable.hh"
#include "attention.hh"
#include "embed.hh"
#include "film.hh"
#include "gin.hh"
#include "head.hh"
#include "host.hh"
#include "hyper.hh"
#include "mean.hh"
#include "pna.hh"
#include "pna_readout.hh"
#include "relation.hh"
#include "segment.hh"
#include "slab.hh"

namespace {

using pacia::Tensor;

// guarded runs f and turns whatever it throws into a message.
template <class F>
char *guarded(const F &f) {
  try {
    f();
    return nullptr;
  } catch (const c10::Error &e) {
    return strdup(e.what_without_backtrace());
  } catch (const std::exception &e) {
    return strdup(e.what());
  } catch (...) {
    return strdup("unknown exception");
  }
}

Tensor &tensor(pacia_tensor t) { return *static_cast<Tensor *>(t); }

pacia::AdamTable &adam_table(pacia_adam_table *t) {
  return *reinterpret_cast<pacia::AdamTable *>(t);
}

pacia::Slab &slab(pacia_slab *s) { return *reinterpret_cast<pacia::Slab *>(s); }

std::vector<Tensor> tensors(const pacia_tensor *t, int64_t n) {
  std::vector<Tensor> v;
  for (int64_t i = 0; i < n; i++) v.push_back(tensor(t[i]));
  return v;
}

void run(pacia_op op, const pacia::Args &a) {
  using namespace pacia;
  switch (op) {
    case PACIA_EMBED:
      return embed_op(a);
    case PACIA_GIN:
    case PACIA_GIN_REFERENCE:
      return gin_op(a, op == PACIA_GIN_REFERENCE);
    case PACIA_MEAN:
    case PACIA_MEAN_REFERENCE:
      return mean_op(a, op == PACIA_MEAN_REFERENCE);
    case PACIA_ATTENTION:
    case PACIA_ATTENTION_REFERENCE:
      return attention_op(a, op == PACIA_ATTENTION_REFERENCE);
    case PACIA_SEGMENT_MEAN:
    case PACIA_SEGMENT_MEAN_REFERENCE:
      return segment_mean_op(a, op == PACIA_SEGMENT_MEAN_REFERENCE);
    case PACIA_FILM:
    case PACIA_FILM_REFERENCE:
      return film_op(a, op == PACIA_FILM_REFERENCE);
    case PACIA_HYPER:
      return hyper_op(a);
    case PACIA_MLP:
      return mlp_op(a);
    case PACIA_MIX:
      return mix_op(a);
    case PACIA_RELATION:
    case PACIA_RELATION_REFERENCE:
      return relation_op(a, op == PACIA_RELATION_REFERENCE);
    case PACIA_CLASSIFIER:
      return classifier_op(a);
    case PACIA_LOSS:
      return loss_op(a);
    case PACIA_DROPOUT:
      return a.out(0, dropout(a.in(0), dropout_of(a, 0)));
    case PACIA_DROPOUT_REFERENCE:
      return a.out(0, a.in(0) * reference::mask(a.in(0), dropout_of(a, 0)));
    case PACIA_PNA:
    case PACIA_PNA_REFERENCE:
      return pna_op(a, op == PACIA_PNA_REFERENCE);
    case PACIA_PNA_EMBED:
      return pna_embed_op(a);
    case PACIA_JUMP:
      return jump_op(a);
    case PACIA_POOL:
    case PACIA_POOL_REFERENCE:
      return pool_op(a, op == PACIA_POOL_REFERENCE);
    case PACIA_COMBINED:
    case PACIA_COMBINED_REFERENCE:
      return combined_op(a, op == PACIA_COMBINED_REFERENCE);
  }
  throw std::invalid_argument("unknown operation");
}

}  // namespace

extern "C" {

char *pacia_run(pacia_op op, const pacia_args *args) {
  return guarded([&] {
    try {
      run(op, pacia::Args(args));
    } catch (...) {
      for (int64_t i = 0; i < args->n_out; i++) {
        delete static_cast<Tensor *>(args->out[i]);
        args->out[i] = nullptr;
      }
      throw;
    }
  });
}

char *pacia_backward(pacia_tensor loss) {
  return guarded([&] { torch::autograd::backward({tensor(loss)}, {}); });
}

bool pacia_grad_enabled(void) { return at::GradMode::is_enabled(); }
void pacia_set_grad_enabled(bool enabled) { at::GradMode::set_enabled(enabled); }

char *pacia_adam(const pacia_tensor *params, const pacia_tensor *m, const pacia_tensor *v,
                 int64_t n, const pacia_adam_options *options, double *grad_norm) {
  return guarded([&] {
    *grad_norm = pacia::adam(tensors(params, n), tensors(m, n), tensors(v, n), *options);
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

bool pacia_by_kernels(pacia_tensor t) { return !pacia::on_cpu(tensor(t)); }

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

char *pacia_read_grad(pacia_tensor t, double *data, int64_t elements, bool *defined) {
  return guarded([&] {
    auto g = tensor(t).grad();
    *defined = g.defined();
    if (g.defined()) pacia::read(g, 4, data, elements);
  });
}

void pacia_emulate(int how) { pacia::emulating() = static_cast<pacia::Emulation>(how); }
int64_t pacia_launches(void) { return pacia::launches(); }
int pacia_emulating(void) { return static_cast<int>(pacia::emulating()); }

void pacia_set_threads(int n) { at::set_num_threads(n); }
int pacia_threads(void) { return at::get_num_threads(); }
void pacia_set_precision(pacia_precision p) {
  at::globalContext().setAllowTF32CuBLAS(p == PACIA_TF32);
  pacia::round_to_bf16(p == PACIA_BF16);
}
bool pacia_has_bf16(void) { return pacia::has_bf16(); }

const char *pacia_products(void) { return pacia::product_maker(); }

char *pacia_info(pacia_build_info *info) {
  return guarded([&] {
    std::snprintf(info->torch, sizeof info->torch, "%s", TORCH_VERSION);
    info->cxx11_abi = _GLIBCXX_USE_CXX11_ABI;
    const auto &cuda = at::detail::getCUDAHooks();
    info->devices = cuda.hasCUDA() ? static_cast<int>(cuda.getNumGPUs()) : 0;
    // The hooks of a program that is not linked against libtorch's CUDA half
    // answer every question with an exception.
    try {
      const long version = cuda.versionCUDART();
      std::snprintf(info->cuda, sizeof info->cuda, "%ld.%ld", version / 1000, version % 1000 / 10);
    } catch (const c10::Error &) {
    }
  });
}

}  // extern "C"
