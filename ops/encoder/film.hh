// Feature-wise linear modulation (Eq. 6): rows of one task or one query are scaled and shifted
// by the vectors w and b from a hypernetwork.
//
//   affine  h·(1 + w) + b
//   scale   h·w + b
//   unit    h·(1 + w/‖w‖) + b/‖b‖
//
// Legend: R rows, S segments of rows (tasks, queries), d width.
#pragma once

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/launch.hh"
#include "core/rows.hh"

namespace pacia {

namespace {

// film_vectors returns the factor and the shift, [S, d] each.
std::pair<Tensor, Tensor> film_vectors(const Tensor &w, const Tensor &b, Film form) {
  auto unit = [](const Tensor &v) { return v / v.norm(2, {1}, true).clamp_min(kLeastLength); };
  switch (form) {
    case Film::affine:
      return {1 + w, b};
    case Film::scale:
      return {w, b};
    default:
      return {1 + unit(w), unit(b)};
  }
}

template <class T>
PACIA_INLINE void film_loop(const T *h, T *y, const T *f, const T *s, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] = h[i] * f[i] + s[i];
}
PACIA_SIMD void film_row(const float *h, float *y, const float *f, const float *s, int64_t d) {
  film_loop(h, y, f, s, d);
}
PACIA_SIMD void film_row(const double *h, double *y, const double *f, const double *s, int64_t d) {
  film_loop(h, y, f, s, d);
}
template <class T>
PACIA_INLINE void film_back_loop(const T *dy, const T *h, T *dh, const T *f, T *df, T *ds,
                                 int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    dh[i] = dy[i] * f[i];
    df[i] += dy[i] * h[i];
    ds[i] += dy[i];
  }
}
PACIA_SIMD void film_back(const float *dy, const float *h, float *dh, const float *f, float *df,
                          float *ds, int64_t d) {
  film_back_loop(dy, h, dh, f, df, ds, d);
}
PACIA_SIMD void film_back(const double *dy, const double *h, double *dh, const double *f,
                          double *df, double *ds, int64_t d) {
  film_back_loop(dy, h, dh, f, df, ds, d);
}

// film_gradients returns the gradients of h, the factor and the shift, from dy [R, d].
variable_list film_gradients(const Tensor &dy, const Tensor &h, const Tensor &ptr, const Tensor &f) {
  auto dh = at::empty_like(h), df = at::zeros_like(f), ds = at::zeros_like(f);
  const int64_t S = f.size(0), d = h.size(1);
  const int32_t *p = ints(ptr);
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "film_backward", [&] {
    // A part for each task or, for a single task, for some of its columns.
    const auto back = [&](int64_t t, int64_t first, int64_t width) {
      for (int64_t r = p[t]; r < p[t + 1]; r++) {
        const int64_t at = r * d + first, by = t * d + first;
        film_back(dy.data_ptr<scalar_t>() + at, h.data_ptr<scalar_t>() + at, dh.data_ptr<scalar_t>() + at,
                  f.data_ptr<scalar_t>() + by, df.data_ptr<scalar_t>() + by, ds.data_ptr<scalar_t>() + by, width);
      }
    };
    if (S == 1)
      columns(h.size(0), d, [&](int64_t first, int64_t width) { back(0, first, width); });
    else
      at::parallel_for(0, S, 1, [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; t++) back(t, 0, d);
      });
  });
  return {dh, df, ds};
}

// FilmLoops takes factor and shift [S, d]. It keeps contiguous tensors without copying them.
struct FilmLoops : Function<FilmLoops> {
  struct Saved {
    Tensor h, ptr, factor, shift;
    auto fields() { return std::tie(h, ptr, factor, shift); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &ptr,
                        const Tensor &factor, const Tensor &shift) {
    auto in = h.contiguous(), f = factor.contiguous(), s = shift.contiguous();
    auto out = at::empty_like(in);
    const int64_t S = f.size(0), d = in.size(1);
    save(ctx, Saved{in, ptr, f, s});
    const int32_t *p = ints(ptr);
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "film", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *y = out.data_ptr<scalar_t>();
      for (int64_t t = 0; t < S; t++) {
        const auto *pf = f.data_ptr<scalar_t>() + t * d, *ps = s.data_ptr<scalar_t>() + t * d;
        rows(p[t + 1] - p[t], d, [&](int64_t begin, int64_t end) {
          for (int64_t r = p[t] + begin; r < p[t] + end; r++)
            film_row(x + r * d, y + r * d, pf, ps, d);
        });
      }
    });
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = film_gradients(grads[0].contiguous(), s.h, s.ptr, s.factor);
    return {g[0], Tensor(), g[1], g[2]};
  }
};

// FilmKernels takes h [R, d] with offsets [S+1], or S segments of R/S rows each; and w and b
// [S, d], or w = [w | b | …].
struct FilmKernels : Function<FilmKernels> {
  struct Saved {
    Tensor h, ptr, w, b, factor;
    Film form;
    auto fields() { return std::tie(h, ptr, w, b, factor, form); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Optional &offsets,
                        const Tensor &weight, const Optional &bias, Film form) {
    auto in = h.contiguous(), w = weight.contiguous(), ptr = offsets.value_or(Tensor());
    auto b = bias ? bias->contiguous() : Tensor();
    const int64_t R = in.size(0), S = w.size(0), d = in.size(1);
    auto factor = at::empty({S, d}, w.options()), shift = at::empty_like(factor);
    auto y = at::empty_like(in);
    PACIA_LAUNCH(film_vectors, in, warp_blocks(2 * S), w, b, w.size(1), form, S, d, factor, shift);
    PACIA_LAUNCH(film, in, row_blocks(R, d), in, ptr, S ? R / S : 0, factor, shift, y, S, d);
    save(ctx, Saved{in, ptr, w, b, factor, form});
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto h = s.h, ptr = s.ptr, w = s.w, b = s.b, dy = grads[0].contiguous();
    const Film form = s.form;
    const int64_t R = h.size(0), S = w.size(0), d = h.size(1);
    auto dh = at::empty_like(h), df = at::empty_like(s.factor), ds = at::empty_like(df);
    PACIA_LAUNCH(film_back, h, column_blocks(d, ptr.defined() ? S + 1 : S), dy, h, ptr,
                 S ? R / S : 0, s.factor, dh, df, ds, R, S, d);
    if (b.defined() && form != Film::unit) return {dh, Tensor(), df, ds, Tensor()};
    auto dw = at::empty_like(w), db = b.defined() ? at::empty_like(b) : b;
    PACIA_LAUNCH(film_vectors_back, h, warp_blocks(2 * S), w, b, w.size(1), form, S, d, df, ds, dw,
                 db);
    return {dh, Tensor(), dw, db, Tensor()};
  }
};

// Modulation has the inputs of film_op with separate w and b; joint is w = [w | b | …] if the
// input had this form.
struct Modulation {
  Tensor h, ptr, w, b, joint;
  Film form;
};

Tensor film(Plain, const Modulation &m) {
  auto [factor, shift] = film_vectors(m.w, m.b, m.form);
  if (!m.ptr.defined()) return m.h * factor.unsqueeze(1) + shift.unsqueeze(1);
  auto s = segments(m.ptr);
  return m.h * factor.index_select(0, s) + shift.index_select(0, s);
}

Tensor film(Loops, const Modulation &m) {
  if (!m.ptr.defined()) return film(Plain{}, m);
  auto [factor, shift] = film_vectors(m.w, m.b, m.form);
  return FilmLoops::apply(m.h.contiguous(), m.ptr, factor.contiguous(), shift.contiguous());
}

Tensor film(Kernels, const Modulation &m) {
  auto rows = m.h.reshape({-1, m.h.size(-1)});
  auto y = m.joint.defined()
               ? FilmKernels::apply(rows, optional(m.ptr), m.joint, Optional(), m.form)
               : FilmKernels::apply(rows, optional(m.ptr), m.w, optional(m.b), m.form);
  return y.view(m.h.sizes());
}

}  // namespace

// film_op: inputs h [R, d] and offsets [S+1], or h [S, n, d] and none; then w and b, or γ =
// [w | b | …] and none. Integer: the form.
template <class Path>
void film_op(Args &a) {
  Modulation m{a.tensor(), a.tensor(), a.tensor(), a.tensor(), {}, a.choice<Film>()};
  if (m.ptr.defined())
    expect("h", m.h, {kAny, kAny});
  else
    expect("h", m.h, {kAny, kAny, kAny});
  const int64_t d = m.h.size(-1), sets = m.ptr.defined() ? m.ptr.size(0) - 1 : m.h.size(0);
  if (m.ptr.defined()) expect_offsets("tasks", m.ptr, m.h.size(0));
  if (!m.b.defined()) {
    m.joint = m.w;
    expect("w joined with b", m.joint, {sets, kAny});
    m.b = m.joint.slice(1, d, 2 * d);
    m.w = m.joint.slice(1, 0, d);
  }
  expect("w", m.w, {sets, d});
  expect("b", m.b, {sets, d});
  a.give(film(Path{}, m));
}
PACIA_OP_ALL("film", film_op)

}  // namespace pacia
