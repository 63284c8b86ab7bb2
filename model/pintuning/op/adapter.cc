// Adapters in a layer of an encoder, and the context of the first adapter (Wang et al. 2024).
//
// Legend: A atoms, n molecules, d width of a state, d' of a molecule's vector, k of a bottleneck.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include <ATen/ops/layer_norm.h>

#include "core/check.hh"
#include "layers/linear.hh"
#include "layers/norm.hh"

namespace pacia {

namespace {

// kLayerEps is the ε of torch's LayerNorm.
constexpr double kLayerEps = 1e-5;

// Bottleneck is U ReLU(D x + b), without the offset.
struct Bottleneck {
  Tensor down, bias, up;  // [k, in], [k], [d, k]

  static Bottleneck of(Args &a) {
    Bottleneck b{a.tensor(), a.tensor(), a.tensor()};
    expect("down", b.down, {kAny, kAny});
    expect("bias", b.bias, {b.down.size(0)});
    expect("up", b.up, {kAny, b.down.size(0)});
    return b;
  }
  template <class Path>
  Tensor of(Path, const Tensor &x, const Tensor &offset) const {
    return layer(Path{}, layer(Path{}, x, down, bias, {}).relu(), up, offset, {});
  }
};

}  // namespace

// adapter_op gives the next states [A, d] and, with own, the statistics of give_norm. Inputs: z
// [A, d], the layer's update of the atoms from their neighbours, before its norm; the bottleneck
// and its offset [d]; none, or the context [n, d] of molecules, which is added to their atoms; γ
// and β of the layer norm; the inputs of batch_norm_of; group, and mol [n + 1], the first atom of
// each molecule. Integers and reals: those of batch_norm_of.
template <class Path>
void adapter_op(Args &a) {
  auto z = a.tensor();
  expect("z", z, {kAny, kAny});
  const int64_t rows = z.size(0), d = z.size(1);
  const auto b = Bottleneck::of(a);
  expect("down", b.down, {kAny, d});
  expect("up", b.up, {d, kAny});
  auto offset = a.tensor(), context = a.tensor(), gamma = a.tensor(), beta = a.tensor();
  for (const Tensor *t : {&offset, &gamma, &beta}) expect("a per-column parameter", *t, {d});
  const auto n = batch_norm_of(a);
  auto group = a.tensor(), mol = a.tensor();
  check_norm(n, group, rows, d);
  auto y = z + b.of(Path{}, z, offset);
  if (context.defined()) {
    expect("context", context, {mol.size(0) - 1, d});
    y = y + context.index_select(0, segments(mol));
  }
  y = at::layer_norm(y, {d}, gamma, beta, kLayerEps);
  give_norm(a, norm(Path{}, y, group, n), n);
}
PACIA_OP_LOOPS("adapter layer", adapter_op)

// adapter_context_op gives [n, d], the vectors that the first adapter adds to the atoms of
// molecules. Inputs: states [n, 2d'] of each molecule and of its target, and a bottleneck for
// each of the two.
template <class Path>
void adapter_context_op(Args &a) {
  auto states = a.tensor();
  const auto molecule = Bottleneck::of(a), target = Bottleneck::of(a);
  const int64_t in = molecule.down.size(1);
  expect("states", states, {kAny, 2 * in});
  expect("down of the target", target.down, {kAny, in});
  expect("up of the target", target.up, {molecule.up.size(0), kAny});
  a.give(molecule.of(Path{}, states.slice(1, 0, in).contiguous(), Tensor()) +
         target.of(Path{}, states.slice(1, in).contiguous(), Tensor()));
}
PACIA_OP_LOOPS("adapter context", adapter_context_op)

}  // namespace pacia
