// A layer of a multilayer perceptron that begins with its activation:
//
//   y = W dropout(ReLU(batch norm(h))) + b
//
// A layer's output, which FiLM modifies, is therefore followed by a ReLU, and the output of the
// last layer is linear. The batch norm is optional.
//
// Legend: A rows, in and out widths.
#pragma once

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "layers/linear.hh"
#include "layers/norm.hh"

namespace pacia {

// dense_op: inputs h [A, in], W [out, in], b [out], the inputs of batch_norm_of, with width in,
// or none, and groups. Integers and reals: those of batch_norm_of.
template <class Path>
void dense_op(Args &a) {
  const Tensor h = a.tensor(), w = a.tensor(), b = a.tensor();
  const BatchNorm n = batch_norm_of(a);
  const Tensor group = a.tensor();
  expect("h", h, {kAny, kAny});
  expect("W", w, {kAny, h.size(1)});
  expect("b", b, {w.size(0)});
  Tensor x;
  if (n.gamma.defined()) {
    check_norm(n, group, h.size(0), h.size(1));
    x = norm(Path{}, h, group, n);
  } else {
    x = n.mode.relu ? h.relu() : h;
    if (n.mode.drops()) x = dropout(Path{}, x, n.mode.dropout);
  }
  give_norm(a, layer_of_left(Path{}, x, w, b, n.mode.left()), n);
}
PACIA_OP_ALL("dense layer", dense_op)

}  // namespace pacia
