// A layer of the Molecule Attention Transformer, as published:
//
//   h ← h + W_o [ (λ_a softmax_j(q_i·k_j/√d_k) + F_ij) v_j ]_heads + b_o,   q, k, v of LN(h)
//   h ← h + LeakyReLU(W₁ LN(h) + b₁),   LN(x) = γ (x − mean)/(deviation + ε) + β
//
// with the unbiased deviation. F has the weights between nodes from distances and bonds. No
// parameter affects F, so that Go computes it once for each batch.
//
// Legend: R nodes of all molecules; d width, H heads of d_k = d/H. Molecules of similar size form
// a block of n molecules, padded to L nodes each; S places of nodes in all blocks, Σ n·L.
#include "core/libtorch.hh"

#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"

namespace pacia {

namespace {

constexpr double kEpsilon = 1e-6, kSlope = 0.1;
constexpr double kFilled = -1e12;  // logit of padding

struct Norm {
  Tensor gain, offset;
  explicit Norm(Args &a) : gain(a.tensor()), offset(a.tensor()) {}

  Tensor operator()(const Tensor &x) const {
    auto centred = x - x.mean(1, true);
    auto variance = centred.square().sum(1, true) / std::max<int64_t>(1, x.size(1) - 1);
    return centred / (variance.sqrt() + kEpsilon) * gain + offset;
  }
};

struct Dense {
  Tensor w, b;
  explicit Dense(Args &a) : w(a.tensor()), b(a.tensor()) {}
  Tensor operator()(const Tensor &x) const { return linear(x, w, b); }
};

// Blocks has the places of nodes.
struct Blocks {
  Tensor node;    // [S] node in each place; −1 for padding
  Tensor place;   // [R] place of each node
  Tensor fixed;   // [Σ n·L²] F of each block, 0 for padding
  std::vector<int64_t> sizes;  // n, L of each block

  explicit Blocks(Args &a) : node(a.tensor()), place(a.tensor()), fixed(a.tensor()) {}
};

// attended returns the sums of values that each node [R, d] attends to, with the heads side by
// side, from queries, keys and values [R, 3d].
Tensor attended(const Tensor &qkv, const Blocks &b, int64_t heads, double share) {
  const int64_t d = qkv.size(1) / 3, width = d / heads;
  std::vector<int64_t> places, pairs;
  for (size_t i = 0; i < b.sizes.size(); i += 2) {
    places.push_back(b.sizes[i] * b.sizes[i + 1]);
    pairs.push_back(places.back() * b.sizes[i + 1]);
  }
  auto of = index(b.node);
  auto filled = of.lt(0).split_with_sizes(places);
  auto parts = qkv.index_select(0, of.clamp_min(0)).split_with_sizes(places);
  auto fixed = b.fixed.to(qkv.scalar_type()).split_with_sizes(pairs);
  std::vector<Tensor> out;
  for (size_t i = 0; i < parts.size(); i++) {
    const int64_t n = b.sizes[2 * i], L = b.sizes[2 * i + 1];
    auto heads_of = parts[i].view({n, L, 3, heads, width}).permute({2, 0, 3, 1, 4});  // [3, n, H, L, d_k]
    auto q = heads_of.select(0, 0), k = heads_of.select(0, 1), v = heads_of.select(0, 2);
    auto logits = q.matmul(k.transpose(2, 3)) / std::sqrt(static_cast<double>(width));
    auto p = at::softmax(logits.masked_fill(filled[i].view({n, 1, 1, L}), kFilled), 3);
    auto taken = (p * share + fixed[i].view({n, 1, L, L})).matmul(v);
    out.push_back(taken.transpose(1, 2).reshape({n * L, d}));
  }
  return at::cat(out).index_select(0, index(b.place));
}

}  // namespace

// mat_embed_op gives h⁰ = W x + b [R, d] of the nodes' features. Inputs: features [R, k]; W
// [d, k]; b [d].
template <class Path>
void mat_embed_op(Args &a) {
  auto x = a.tensor();
  const Dense embed(a);
  expect("features", x, {kAny, kAny});
  expect("W", embed.w, {kAny, x.size(1)});
  a.give(embed(x.to(embed.w.scalar_type())));
}
PACIA_OP("embed nodes", mat_embed_op)

// mat_op gives the output [R, d] of a layer. Inputs: h [R, d]; node [S], place [R], F [Σ n·L²],
// see Blocks; γ and β [d]; W [3d, d] and b of q, k and v; W_o, b_o; γ and β; W₁, b₁; and, for the
// last layer, γ and β of the norm after it, or nothing. Real: λ_a. Integers: H; n and L of each
// block.
template <class Path>
void mat_op(Args &a) {
  auto h = a.tensor();
  Blocks blocks(a);
  const Norm first(a);
  const Dense qkv(a), out(a);
  const Norm second(a);
  const Dense dense(a);
  const Norm last(a);
  const int64_t heads = a.integer();
  blocks.sizes = a.integers();
  expect("h", h, {kAny, kAny});
  const int64_t d = h.size(1);
  if (heads < 1 || d % heads != 0)
    throw std::invalid_argument("a width of " + std::to_string(d) + " is not a multiple of " + std::to_string(heads) + " heads");
  int64_t places = 0, pairs = 0;
  for (size_t i = 0; i + 1 < blocks.sizes.size(); i += 2) {
    const int64_t n = blocks.sizes[i], L = blocks.sizes[i + 1];
    places += n * L;
    pairs += n * L * L;
  }
  expect("places", blocks.place, {h.size(0)});
  expect("nodes of places", blocks.node, {places});
  expect("F", blocks.fixed, {pairs});
  expect("W of queries, keys and values", qkv.w, {3 * d, d});
  expect("W of the heads", out.w, {d, d});
  expect("W of the dense layer", dense.w, {d, d});
  h = h + out(attended(qkv(first(h)), blocks, heads, a.real()));
  h = h + at::leaky_relu(dense(second(h)), kSlope);
  a.give(last.gain.defined() ? last(h) : h);
}
PACIA_OP("molecule attention layer", mat_op)

}  // namespace pacia
