// MiniMol, a network for molecules (Kläser et al., arXiv 2404.14986; layers by Graphium).
//
//   x   = LN(W₂ ReLU(LN(W₁ [p | features])))        p = eigenvectors + walks, below
//   e   = LN(W₂ ReLU(LN(W₁ bond)))
//   x_l = GINE_l(y_(l−1), e) + x_(l−1)              without the sum in the first and the last layer
//   v_l = v_(l−1) + GELU(LN(W (v_(l−1) + mean_v(x_l)·ln A)))    the virtual node; v_0 = 0
//   y_l = x_l + P v_l/2
//   z   = max_v x_L
//
// A is the number of the molecule's atoms. For eigenvectors, the result of an MLP of eigenvalue and
// entry is summed over eight eigenvectors. The sign of an eigenvector is arbitrary: the mean of the
// MLP over both signs is used, unless the signs are given.
#include "core/libtorch.hh"

#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/one_hot.h>

#include "core/check.hh"
#include "core/registry.hh"
#include "core/emulation.hh"
#include "core/op.hh"
#include "core/owners.hh"
#include "layers/linear.hh"
#include "layers/shared.hh"
#include "network.hh"
#include "trained.hh"

namespace pacia {
namespace minimol {

Tensor bond_features(const Tensor &like) {
  auto all = at::arange(kCodes, like.options().dtype(at::kLong));
  auto kind = all.div(2, "floor");
  auto hot = [](const Tensor &t, int64_t n) { return at::one_hot(t, n); };
  return at::cat({hot(kind.div(kStereo, "floor"), kTypes), hot(kind.remainder(kStereo), kStereo),
                  all.remainder(2).unsqueeze(1)}, 1).to(like.scalar_type());
}

namespace {

// features [A, kFeatures] returns the numbers and one-hot categories of atoms.
Tensor features(const Tensor &atoms, const Tensor &like) {
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < kNumbers; i++) parts.push_back(atoms.slice(1, i, i + 1).to(like.scalar_type()) - kOffsets[i]);
  for (int64_t i = 0; i < kCategories; i++)
    parts.push_back(at::one_hot(index(atoms.select(1, kNumbers + i)), kPlaces[i]).to(like.scalar_type()));
  return at::cat(parts, 1);
}

template <class Path>
struct Run {
  static constexpr bool loops = std::is_same_v<Path, Loops>;
  const Network &w;
  const Molecules &m;

  Tensor dense(const Dense &d, const Tensor &x) const { return layer(Path{}, x, d.w, d.b, {}); }

  // Scale and offset are not applied by ATen, where the order of sums in their gradients
  // depends on the number of threads.
  Tensor norm(const Norm &n, const Tensor &x) const {
    return at::layer_norm(x, {x.size(1)}, {}, {}, kEps) * n.gain + n.offset;
  }

  // step returns act(LN(W x + b)).
  Tensor step(const Step &s, const Tensor &x, Act act) const {
    if constexpr (loops) return staged(x, s, act);
    auto y = norm(s.norm, dense(s.dense, x));
    return act == Act::gelu ? at::gelu(y) : act == Act::relu ? y.relu() : y;
  }

  // eigen returns the features [A, ·] of atoms from the eigenvectors.
  Tensor eigen(const Tensor &values, const Tensor &vectors) const {
    const int64_t A = values.size(0);
    auto of = [&](const Tensor &v) {
      auto pairs = at::stack({values, v}, 2).view({A * kEigen, 2});
      return dense(w.eigen_second, dense(w.eigen_first, dense(w.eigen_in, pairs)).relu());
    };
    auto both = m.given ? of(vectors) : (of(vectors) + of(-vectors)) / 2;
    return dense(w.eigen_out, both.view({A, kEigen, both.size(1)}).sum(1));
  }

  Tensor walks(const Tensor &p) const {
    return step(w.walks_second, step(w.walks_first, norm(w.walks, p), Act::relu), Act::relu);
  }

  Tensor gine(const Layer &l, const Tensor &x, const Tensor &bonds) const {
    return step(l.second, step(l.first, gather(x, dense(l.bonds, bonds)), Act::gelu), Act::gelu);
  }

  // gather returns x_v + Σ_u ReLU(x_u + B e_uv).
  Tensor gather(const Tensor &x, const Tensor &kinds) const {
    if constexpr (loops) return gathered(x, kinds, m);
    auto messages = (x.index_select(0, index(m.col)) + kinds.index_select(0, index(m.code))).relu();
    return x + added(messages, owners(m.rowptr, m.col.size(0)), x.size(0));
  }

  Tensor sum(const Tensor &x, const Tensor &of, int64_t n) const {
    if constexpr (loops) return summed(x, of, n);
    return added(x, of, n);
  }
  Tensor spread(const Tensor &x, const Tensor &of) const {
    if constexpr (loops) return shared(Loops{}, x, of);
    return of_owner(x, of);
  }

  Tensor vectors() const {
    auto s = m.spectrum.to(w.eigen_in.w.scalar_type()).split({kWalks, kEigen, kEigen}, 1);
    auto x = at::cat({eigen(s[1], s[2]) + walks(s[0]), features(m.atoms, s[0])}, 1);
    x = step(w.atoms_second, step(w.atoms_first, x, Act::relu), Act::none);
    auto bonds = step(w.bonds_second, step(w.bonds_first, bond_features(x), Act::relu), Act::none);
    const int64_t A = x.size(0), n = m.mol.size(0) - 1;
    auto of = owners(m.mol, A), row = loops ? of.to(at::kInt) : of;
    auto sizes = (m.mol.slice(0, 1) - m.mol.slice(0, 0, -1)).to(x.scalar_type()).unsqueeze(1);
    auto share = sizes.log() / sizes;
    Tensor before, v;
    for (size_t l = 0; l < w.layers.size(); l++) {
      x = gine(w.layers[l], x, bonds);
      if (l == w.nodes.size()) break;
      if (l > 0) x = x + before;
      before = x;
      auto all = sum(x, row, n) * share;
      auto next = step(w.nodes[l].step, l > 0 ? all + v : all, Act::gelu);
      v = l > 0 ? v + next : next;
      x = x + spread(dense(w.nodes[l].out, v / 2), row);
    }
    return highest(x, of, n, -std::numeric_limits<double>::infinity());
  }
};

void check(const Molecules &m) {
  const int64_t A = m.rowptr.size(0) - 1, E = m.col.size(0);
  expect("atoms", m.atoms, {A, kAtom});
  expect("spectrum", m.spectrum, {A, kSpectrum});
  expect("codes of bonds", m.code, {E});
  if (!by_loops(m.atoms)) return;
  expect_offsets("molecules", m.mol, A);
  expect_offsets("bonds", m.rowptr, E);
  expect_below("ends of bonds", m.col, A);
  const auto *atom = m.atoms.data_ptr<uint8_t>() + kNumbers;
  for (int64_t v = 0; v < A; v++, atom += kAtom)
    for (int64_t i = 0; i < kCategories; i++)
      if (atom[i] >= kPlaces[i])
        throw std::invalid_argument("atom " + std::to_string(v) + " has the place " + std::to_string(atom[i]) + " in category " +
                                    std::to_string(i));
  for (int64_t i = 0; i < E; i++)
    if (m.code.data_ptr<uint8_t>()[i] >= kCodes)
      throw std::invalid_argument("bond " + std::to_string(i) + " has the code " + std::to_string(m.code.data_ptr<uint8_t>()[i]));
}

bool taught(const Network &w) {
  return at::GradMode::is_enabled() && w.layers.front().first.dense.w.requires_grad();
}

Tensor vectors(Plain, const Molecules &m, const Network &w) { return Run<Plain>{w, m}.vectors(); }
Tensor vectors(Loops, const Molecules &m, const Network &w) {
  if (w.eigen_in.w.scalar_type() == at::kFloat && !taught(w)) return infer(m, w);
  return Run<Loops>{w, m}.vectors();
}
Tensor vectors(Kernels, const Molecules &m, const Network &w) { return Run<Kernels>{w, m}.vectors(); }

}  // namespace
}  // namespace minimol

// minimol_op gives the molecules' vectors [n, d]. Inputs: those of Molecules; a vector [d] that
// is subtracted from the result, and a factor [d], or none; those of Network. Integers: 1 if
// the eigenvectors' signs are given; the number of layers.
template <class Path>
void minimol_op(Args &a) {
  minimol::Molecules m{a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), false};
  auto mean = a.tensor(), inverse = a.tensor();
  m.given = a.integer() != 0;
  const int64_t depth = a.integer();
  if (depth < 1) throw std::invalid_argument("a network without layers");
  const minimol::Network w(a, depth);
  minimol::check(m);
  auto z = minimol::vectors(Path{}, m, w);
  a.give(mean.defined() ? (z - mean) * inverse : z);
}
PACIA_OP_ALL("minimol", minimol_op)

}  // namespace pacia
