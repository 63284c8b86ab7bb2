// The layers of MiniMol with gradients; plain.cc defines the computation. Each stage is one function,
// and so are the messages of each layer. A function keeps one state of its width for the backward
// pass, where calls of ATen would keep six.
//
// Legend: A atoms, E bonds counted in both directions, M rows, d width of a state.
#include "core/libtorch.hh"

#include "trained.hh"

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/rows.hh"
#include "gelu.hh"
#include "product/product.hh"

namespace pacia::minimol {
namespace {

// Bend has the value and the slope of an activation.
template <class T>
struct Bend {
  T value, slope;
};

// For float, bend uses the polynomial of gelu.
template <Act act>
PACIA_INLINE Bend<float> bend(float x) {
  if (act == Act::none) return {x, 1};
  if (act == Act::relu) return {x < 0 ? 0 : x, x > 0 ? 1.f : 0.f};
  const float low = x < -5 ? -5 : x, c = low > 5 ? 5 : low;
  const float square = c * c, p = phi(square), share = 0.5f + c * p;
  return {x * share, share + (c == x ? c * (p + 2 * square * phi_slope(square)) : 0.f)};
}

template <Act act>
PACIA_INLINE Bend<double> bend(double x) {
  if (act == Act::none) return {x, 1};
  if (act == Act::relu) return {x < 0 ? 0 : x, x > 0 ? 1. : 0.};
  const double share = 0.5 * (1 + std::erf(x * M_SQRT1_2));
  return {x * share, share + x * std::exp(-x * x / 2) * (M_SQRT1_2 * M_2_SQRTPI / 2)};
}

// normalise writes the normalised row to z, and act(z γ + β) to y. It returns 1/√(variance + ε).
template <Act act, class T>
PACIA_INLINE T normalise_loop(T *z, T *y, int64_t d, const T *gain, const T *offset) {
  T sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < d; i++) sum += z[i];
  const T mean = sum / static_cast<T>(d);
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < d; i++) squares += (z[i] - mean) * (z[i] - mean);
  const T scale = 1 / std::sqrt(squares / static_cast<T>(d) + static_cast<T>(kEps));
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    z[i] = (z[i] - mean) * scale;
    y[i] = bend<act>(z[i] * gain[i] + offset[i]).value;
  }
  return scale;
}

// normalise_back converts the gradient g of y to that of W x + b, in place, and adds to the
// gradients of γ, β and b, which are consecutive in sums [3, d]. z is the normalised row.
template <Act act, class T>
PACIA_INLINE void normalise_back_loop(T *g, const T *z, T scale, int64_t d, const T *gain, const T *offset, T *sums) {
  T sum = 0, along = 0;
#pragma omp simd reduction(+ : sum, along)
  for (int64_t i = 0; i < d; i++) {
    const T du = g[i] * bend<act>(z[i] * gain[i] + offset[i]).slope, dz = du * gain[i];
    sums[i] += du * z[i];
    sums[d + i] += du;
    sum += dz;
    along += dz * z[i];
    g[i] = dz;
  }
  sum /= static_cast<T>(d);
  along /= static_cast<T>(d);
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    g[i] = scale * (g[i] - sum - z[i] * along);
    sums[2 * d + i] += g[i];
  }
}

#define PACIA_ACTS(act, call)                         \
  switch (act) {                                      \
    case Act::none: return call(Act::none);           \
    case Act::relu: return call(Act::relu);           \
    default: return call(Act::gelu);                  \
  }
#define PACIA_NORMALISE(act) normalise_loop<act>(z, y, d, gain, offset)
#define PACIA_NORMALISE_BACK(act) normalise_back_loop<act>(g, z, scale, d, gain, offset, sums)

PACIA_SIMD float normalise(Act act, float *z, float *y, int64_t d, const float *gain, const float *offset) {
  PACIA_ACTS(act, PACIA_NORMALISE)
}
PACIA_SIMD double normalise(Act act, double *z, double *y, int64_t d, const double *gain, const double *offset) {
  PACIA_ACTS(act, PACIA_NORMALISE)
}
PACIA_SIMD void normalise_back(Act act, float *g, const float *z, float scale, int64_t d, const float *gain,
                               const float *offset, float *sums) {
  PACIA_ACTS(act, PACIA_NORMALISE_BACK)
}
PACIA_SIMD void normalise_back(Act act, double *g, const double *z, double scale, int64_t d, const double *gain,
                               const double *offset, double *sums) {
  PACIA_ACTS(act, PACIA_NORMALISE_BACK)
}

// StageLoops keeps its input and the normalised rows.
struct StageLoops : Function<StageLoops> {
  struct Saved {
    Tensor x, w, gain, offset, z, scale;
    Act act;
    auto fields() { return std::tie(x, w, gain, offset, z, scale, act); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Tensor &b, const Tensor &gain,
                        const Tensor &offset, Act act) {
    auto z = times(x, w, true, {b, After::nothing, {}});
    const int64_t M = z.size(0), d = z.size(1);
    auto y = at::empty_like(z), scale = at::empty({M}, z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "minimol_stage", [&] {
      auto of = [](const Tensor &t) { return t.data_ptr<scalar_t>(); };
      rows(M, 8 * d, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; r++) of(scale)[r] = normalise(act, of(z) + r * d, of(y) + r * d, d, of(gain), of(offset));
      });
    });
    save(ctx, Saved{x, w, gain, offset, z, scale, act});
    return y;
  }

  // The number of consecutive rows that one thread sums for the gradients of γ, β and b.
  static constexpr int64_t kPart = 256;

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    const int64_t M = s.z.size(0), d = s.z.size(1), P = (M + kPart - 1) / kPart;
    auto g = grads[0].clone(at::MemoryFormat::Contiguous);
    auto parts = at::zeros({P, 3 * d}, g.options()), sums = at::zeros({3, d}, g.options());
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "minimol_stage_back", [&] {
      auto of = [](const Tensor &t) { return t.data_ptr<scalar_t>(); };
      at::parallel_for(0, P, 1, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin * kPart; r < std::min(M, end * kPart); r++)
          normalise_back(s.act, of(g) + r * d, of(s.z) + r * d, of(s.scale)[r], d, of(s.gain), of(s.offset),
                         of(parts) + r / kPart * 3 * d);
      });
      for (int64_t p = 0; p < P; p++) add(of(sums), of(parts) + p * 3 * d, 3 * d);
    });
    return {ctx->needs_input_grad(0) ? times(g, s.w, false) : Tensor(), across(g, s.x), sums[2], sums[0], sums[1], Tensor()};
  }
};

// message adds ReLU(x + kind) [d] to sum; message_back adds the gradient g to those of x and
// kind where ReLU passes it.
template <class T>
PACIA_INLINE void message_loop(T *sum, const T *x, const T *kind, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const T z = x[i] + kind[i];
    sum[i] += z > 0 ? z : 0;
  }
}
template <class T>
PACIA_INLINE void message_back_loop(const T *g, const T *x, const T *kind, int64_t d, T *dx, T *dkind) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const T left = x[i] + kind[i] > 0 ? g[i] : 0;
    dx[i] += left;
    dkind[i] += left;
  }
}
PACIA_SIMD void message(float *sum, const float *x, const float *kind, int64_t d) { message_loop(sum, x, kind, d); }
PACIA_SIMD void message(double *sum, const double *x, const double *kind, int64_t d) { message_loop(sum, x, kind, d); }
PACIA_SIMD void message_back(const float *g, const float *x, const float *kind, int64_t d, float *dx, float *dkind) {
  message_back_loop(g, x, kind, d, dx, dkind);
}
PACIA_SIMD void message_back(const double *g, const double *x, const double *kind, int64_t d, double *dx, double *dkind) {
  message_back_loop(g, x, kind, d, dx, dkind);
}

struct MessageLoops : Function<MessageLoops> {
  struct Saved {
    Tensor x, kinds, rowptr, col, code;
    auto fields() { return std::tie(x, kinds, rowptr, col, code); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &kinds, const Tensor &rowptr, const Tensor &col,
                        const Tensor &code) {
    const int64_t A = x.size(0), d = x.size(1);
    auto sum = x.clone();
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "minimol_messages", [&] {
      const auto *from = x.data_ptr<scalar_t>(), *kind = kinds.data_ptr<scalar_t>();
      auto *to = sum.data_ptr<scalar_t>();
      rows(A, 4 * d, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          for (int64_t e = ints(rowptr)[v]; e < ints(rowptr)[v + 1]; e++)
            message(to + v * d, from + ints(col)[e] * d, kind + code.data_ptr<uint8_t>()[e] * d, d);
      });
    });
    save(ctx, Saved{x, kinds, rowptr, col, code});
    return sum;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = grads[0].contiguous();
    const int64_t A = g.size(0), d = g.size(1);
    auto dx = g.clone(), dkinds = at::zeros_like(s.kinds);
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "minimol_messages_back", [&] {
      auto of = [](const Tensor &t) { return t.data_ptr<scalar_t>(); };
      columns(s.col.size(0), d, [&](int64_t first, int64_t width) {
        for (int64_t v = 0; v < A; v++)
          for (int64_t e = ints(s.rowptr)[v]; e < ints(s.rowptr)[v + 1]; e++) {
            const int64_t u = ints(s.col)[e] * d + first, k = s.code.data_ptr<uint8_t>()[e] * d + first;
            message_back(of(g) + v * d + first, of(s.x) + u, of(s.kinds) + k, width, of(dx) + u, of(dkinds) + k);
          }
      });
    });
    return {dx, dkinds, Tensor(), Tensor(), Tensor()};
  }
};

struct SumLoops : Function<SumLoops> {
  struct Saved {
    Tensor of;
    auto fields() { return std::tie(of); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &of, int64_t n) {
    save(ctx, Saved{of});
    return collect(x, of, n);
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    return {spread(grads[0].contiguous(), saved<Saved>(ctx).of), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor staged(const Tensor &x, const Step &s, Act act) {
  expect("a layer norm", s.norm.gain, {s.dense.w.size(0)});
  expect("a layer norm", s.norm.offset, {s.dense.w.size(0)});
  return StageLoops::apply(x.contiguous(), s.dense.w, s.dense.b, s.norm.gain.contiguous(), s.norm.offset.contiguous(), act);
}

Tensor gathered(const Tensor &x, const Tensor &kinds, const Molecules &m) {
  expect("kinds of bonds", kinds, {kCodes, x.size(1)});
  return MessageLoops::apply(x.contiguous(), kinds.contiguous(), m.rowptr, m.col, m.code);
}

Tensor summed(const Tensor &x, const Tensor &of, int64_t n) { return SumLoops::apply(x.contiguous(), of, n); }

}  // namespace pacia::minimol
