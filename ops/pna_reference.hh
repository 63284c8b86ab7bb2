// One block of FS-Mol's PNA, principal neighbourhood aggregation (Corso et al.
// 2020), in plain ATen calls. It is what pna.hh is tested against, and what runs
// on a GPU: no call of it waits for the device.
//
//   1. A node's vector is cut into H towers. In a tower, a bond from u to v of
//      type t says m = ReLU(W_t [h_u | h_v] + b_t), 3p numbers; atom v has
//        sum    Σ m           of the first third
//        mean   Σ m / n       of the second, n the bonds into v
//        std    √Σ (ReLU(m² − mean²) + 1e-7)   a sum, as the benchmark has it
//        max    0 without bonds   of the last
//      x = [sum | mean | std | max], and with it x·log(n+1)/δ and x·δ/(log(n+1) + 1e-7).
//   2. r = h + α·dropout(W [all towers] + b), α the block's own scalar (ReZero)
//   3. y = r + α·dropout(W2 dropout(LeakyReLU(W1 norm(r) + b1)) + b2)
//
// Legend: A atoms, E bonds counted in both directions, n molecules, H towers of
// width e, d = H·e, T bond types, p numbers of an aggregate of a tower.
#pragma once

#include "check.hh"
#include "dropout.hh"
#include "gin_reference.hh"

namespace pacia {

// Of the benchmark: δ, ε of the attenuating scaler and of the deviation, and
// PyTorch's ε of a LayerNorm.
constexpr double kPnaDelta = 1.1515, kPnaEps = 1e-7, kLayerNormEps = 1e-5;

struct PnaGraph {
  Tensor rowptr;  // [A+1] int32: the bonds into atom v are rowptr[v]..rowptr[v+1]
  Tensor col;     // [E] int32: their other ends
  Tensor code;    // [E] uint8: type·kDirections + direction
  Tensor mol;     // [n+1] int32: atoms of each molecule
};

struct PnaTowers {
  Tensor w, b;      // [H, T, 3p, 2e], [H, T, 3p]
  Tensor out, ob;   // [d, H·12p], [d]

  int64_t H() const { return w.size(0); }
  int64_t types() const { return w.size(1); }
  int64_t p() const { return w.size(2) / 3; }
  int64_t e() const { return w.size(3) / 2; }
};

// PnaBoom is the layer that a block ends in, with the LayerNorm before it.
struct PnaBoom {
  Tensor gamma, beta;     // [d]
  Tensor w1, b1, w2, b2;  // [f, d], [f], [d, f], [d]
};

// pna_scalers of an atom with n bonds.
inline std::pair<double, double> pna_scalers(int64_t n) {
  const double l = std::log(static_cast<double>(n + 1));
  return {l / kPnaDelta, kPnaDelta / (l + kPnaEps)};
}

namespace reference {

// owners [rows] is the segment of each of so many rows, by offsets. Rows after
// the last segment's are padding: they belong to one more, which added and
// highest leave out. Unlike segments, it is told the number and asks no device.
inline Tensor owners(const Tensor &ptr, int64_t rows) {
  auto ends = ptr.slice(0, 1).contiguous();
  return at::bucketize(at::arange(rows, ptr.options()), ends, /*out_int32=*/false, /*right=*/true);
}

// added [segments, …] is the sum of each segment's rows of x.
inline Tensor added(const Tensor &x, const Tensor &owner, int64_t segments) {
  auto sizes = x.sizes().vec();
  sizes[0] = segments + 1;
  return at::zeros(sizes, x.options()).index_add(0, owner, x).slice(0, 0, segments);
}

// highest [segments, …] is the largest of each segment's rows of x, or least.
inline Tensor highest(const Tensor &x, const Tensor &owner, int64_t segments, double least) {
  auto sizes = x.sizes().vec(), wide = owner.sizes().vec();
  sizes[0] = segments + 1;
  wide.resize(sizes.size(), 1);
  return at::full(sizes, least, x.options())
      .scatter_reduce(0, owner.view(wide).expand_as(x), x, "amax").slice(0, 0, segments);
}

// of_owner [rows, …] gives each row what x [segments, …] has for its segment.
// That of padding is the last one's: nothing is made of it.
inline Tensor of_owner(const Tensor &x, const Tensor &owner) {
  return x.index_select(0, owner.clamp_max(x.size(0) - 1));
}

// pna_towers returns all aggregates, scaled, [A, H·12p].
inline Tensor pna_towers(const Tensor &h, const PnaGraph &g, const PnaTowers &t) {
  const int64_t A = h.size(0), E = g.col.size(0), H = t.H(), p = t.p();
  auto to = owners(g.rowptr, E);
  auto end = [&](const Tensor &of) { return of_owner(h, of).view({E, H, t.e()}); };
  auto pair = at::cat({end(index(g.col)), end(to)}, 2);
  // Every bond by the weights of every type, of which its own is taken: to ask
  // which bonds are of a type would wait for a GPU.
  auto all = at::einsum("ehk,htok->ehto", {pair, t.w}) + t.b;
  auto type = index(g.code).div(kDirections, "floor").view({E, 1, 1, 1}).expand({E, H, 1, 3 * p});
  auto m = all.gather(2, type).squeeze(2).relu().split(p, 2);
  auto n = (g.rowptr.slice(0, 1) - g.rowptr.slice(0, 0, -1)).to(h.scalar_type()).view({A, 1, 1});
  auto mean = added(m[1], to, A) / n.clamp_min(1);
  auto of_bond = of_owner(mean, to);
  // (m − μ)(m + μ) is 0 where the two are the same; rounded squares may differ.
  auto deviation = ((m[1] - of_bond) * (m[1] + of_bond)).relu() + kPnaEps;
  auto x = at::cat({added(m[0], to, A), mean, added(deviation, to, A).sqrt(), highest(m[2], to, A, 0)},
                   2);
  auto l = (n + 1).log();
  return at::cat({x, x * (l / kPnaDelta), x * (kPnaDelta / (l + kPnaEps))}, 2).flatten(1);
}

// masked is dropout, plain on the CPU, by its kernel elsewhere.
inline Tensor masked(const Tensor &x, const Dropout &d) {
  if (!d.on()) return x;
  return on_cpu(x) ? x * mask(x, d) : dropout(x, d);
}

inline Tensor pna(const Tensor &h, const PnaGraph &g, const PnaTowers &t, const Tensor &alpha,
                  const PnaBoom &m, const Dropout &d) {
  auto r = h + alpha * masked(at::linear(pna_towers(h, g, t), t.out, t.ob), d.at(0));
  auto u = at::layer_norm(r, {r.size(1)}, m.gamma, m.beta, kLayerNormEps);
  auto a = masked(leaky(at::linear(u, m.w1, m.b1)), d.at(1));
  return r + alpha * masked(at::linear(a, m.w2, m.b2), d.at(2));
}

}  // namespace reference
}  // namespace pacia
