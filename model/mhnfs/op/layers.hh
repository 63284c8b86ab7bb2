// Layers that both stages use.
//
// Legend: R rows, d width of rows, H heads, w width of a head.
#pragma once

#include <ATen/ops/layer_norm.h>

#include "core/args.hh"
#include "core/check.hh"
#include "layers/dropout.hh"

namespace pacia {

constexpr double kLayerEps = 1e-5;

// scaled returns the layer norm of rows [R, d], without scale and offset.
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

// Normed is a linear layer after a layer norm with scale and offset [in].
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

// heads splits x [R, H·w] into the heads [H, R, w]; joined is its inverse.
inline Tensor heads(const Tensor &x, int64_t H) { return x.view({x.size(0), H, -1}).transpose(0, 1); }
inline Tensor joined(const Tensor &x) { return x.transpose(0, 1).flatten(1); }

// Drop applies dropout on the path of the operation.
using Drop = Tensor (*)(const Tensor &x, const Dropout &d);

}  // namespace pacia
