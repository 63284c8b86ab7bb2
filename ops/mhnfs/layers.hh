// Layers that both stages are made of.
//
// Legend: R rows, d their width, H heads, w width of a head.
#pragma once

#include <ATen/ops/layer_norm.h>

#include "core/args.hh"
#include "core/check.hh"
#include "layers/dropout.hh"

namespace pacia {

constexpr double kLayerEps = 1e-5;

// scaled is layer norm of rows [R, d], without scale and offset.
inline Tensor scaled(const Tensor &x) { return at::layer_norm(x, {x.size(1)}, {}, {}, kLayerEps); }

// Dense is a linear layer W [out, in] with b [out].
struct Dense {
  Tensor w, b;

  static Dense of(Args &a, int64_t out, int64_t in) {
    Dense l{a.tensor(), a.tensor()};
    expect("W", l.w, {out, in});
    expect("b", l.b, {l.w.size(0)});
    return l;
  }
  Tensor operator()(const Tensor &x) const { return linear(x, w, b); }
};

// Normed is one after layer norm with scale and offset [in].
struct Normed {
  Tensor scale, offset;
  Dense dense;

  static Normed of(Args &a, int64_t out, int64_t in) {
    Normed l{a.tensor(), a.tensor(), {}};
    expect("scale", l.scale, {in});
    expect("offset", l.offset, {in});
    l.dense = Dense::of(a, out, in);
    return l;
  }
  Tensor operator()(const Tensor &x) const {
    return dense(at::layer_norm(x, {x.size(1)}, scale, offset, kLayerEps));
  }
};

// heads cuts x [R, H·w] into those of each head [H, R, w]; joined puts them together.
inline Tensor heads(const Tensor &x, int64_t H) { return x.view({x.size(0), H, -1}).transpose(0, 1); }
inline Tensor joined(const Tensor &x) { return x.transpose(0, 1).flatten(1); }

// Drop applies dropout by the path of the operation.
using Drop = Tensor (*)(const Tensor &x, const Dropout &d);

}  // namespace pacia
