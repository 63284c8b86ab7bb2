// The parameters of MiniMol, and its inputs for molecules.
//
// Legend: A atoms, E bonds counted in both directions, n molecules.
#pragma once

#include <array>

#include "core/args.hh"
#include "core/base.hh"

namespace pacia::minimol {

// Fixed widths of the network.
constexpr int64_t kWalks = 16, kEigen = 8;  // return probabilities; eigenvectors
constexpr int64_t kSpectrum = kWalks + 2 * kEigen;

// An atom has five numbers, from which an offset is subtracted, and its places in four
// categories: the element, its group and period, the valence. The last place of each category is
// for values that are not listed.
constexpr int64_t kNumbers = 5, kCategories = 4, kAtom = kNumbers + kCategories;
constexpr std::array<int64_t, kNumbers> kOffsets = {2, 128, 0, 0, 0};  // of neighbours, charge, radical electrons, aromatic, in a ring
constexpr std::array<int64_t, kCategories> kPlaces = {44, 20, 8, 8};
constexpr int64_t kFeatures = kNumbers + 44 + 20 + 8 + 8;

// A bond's code is (type·7 + stereo)·2, plus 1 if it is in a ring. The last type and the last
// stereo are for values that are not listed.
constexpr int64_t kTypes = 5, kStereo = 7, kBond = kTypes + kStereo + 1, kCodes = kTypes * kStereo * 2;

constexpr double kEps = 1e-5;  // of the layer norms

enum class Act { none, relu, gelu };

struct Dense {
  Tensor w, b;  // [out, in], [out]
  explicit Dense(Args &a) : w(a.tensor()), b(a.tensor()) {}
};

struct Norm {
  Tensor gain, offset;  // [d]
  explicit Norm(Args &a) : gain(a.tensor()), offset(a.tensor()) {}
};

// Step is LN(W x + b).
struct Step {
  Dense dense;
  Norm norm;
  explicit Step(Args &a) : dense(a), norm(a) {}
};

// Layer is a GINE layer: x ← GELU(LN(W₂ GELU(LN(W₁ (x_v + Σ_u ReLU(x_u + B e_uv)))))).
struct Layer {
  Dense bonds;
  Step first, second;
  explicit Layer(Args &a) : bonds(a), first(a), second(a) {}
};

// Virtual is the update of a molecule's virtual node after a layer.
struct Virtual {
  Step step;
  Dense out;
  explicit Virtual(Args &a) : step(a), out(a) {}
};

// Network has the parameters, in the order of the operation's inputs.
struct Network {
  Dense eigen_in, eigen_first, eigen_second, eigen_out;
  Norm walks;
  Step walks_first, walks_second, atoms_first, atoms_second, bonds_first, bonds_second;
  std::vector<Layer> layers;
  std::vector<Virtual> nodes;  // after all layers but the last

  Network(Args &a, int64_t depth)
      : eigen_in(a), eigen_first(a), eigen_second(a), eigen_out(a), walks(a), walks_first(a), walks_second(a),
        atoms_first(a), atoms_second(a), bonds_first(a), bonds_second(a) {
    for (int64_t l = 0; l < depth; l++) layers.emplace_back(a);
    for (int64_t l = 0; l + 1 < depth; l++) nodes.emplace_back(a);
  }

  // all returns the parameters, in an unspecified order.
  std::vector<Tensor> all() const {
    std::vector<Tensor> t;
    const auto dense = [&](const Dense &d) { t.insert(t.end(), {d.w, d.b}); };
    const auto norm = [&](const Norm &n) { t.insert(t.end(), {n.gain, n.offset}); };
    const auto step = [&](const Step &s) { dense(s.dense), norm(s.norm); };
    for (const auto *d : {&eigen_in, &eigen_first, &eigen_second, &eigen_out}) dense(*d);
    norm(walks);
    for (const auto *s : {&walks_first, &walks_second, &atoms_first, &atoms_second, &bonds_first, &bonds_second}) step(*s);
    for (const auto &l : layers) dense(l.bonds), step(l.first), step(l.second);
    for (const auto &n : nodes) step(n.step), dense(n.out);
    return t;
  }
};

// Molecules has the inputs of a batch.
struct Molecules {
  Tensor atoms;     // [A, kAtom] uint8
  Tensor spectrum;  // [A, kSpectrum]: return probabilities, eigenvalues, eigenvectors
  Tensor rowptr;    // [A+1] int32: the bonds into atom v are rowptr[v]..rowptr[v+1]
  Tensor col;       // [E] int32: their other ends
  Tensor code;      // [E] uint8
  Tensor mol;       // [n+1] int32: atoms of each molecule
  bool given;       // the signs of eigenvectors are given; otherwise the mean over both signs is used
};

// bond_features [kCodes, kBond] returns the features for each code.
Tensor bond_features(const Tensor &like);

// infer returns the vectors [n, d] of molecules from a network of float32 on the CPU, without
// gradients.
Tensor infer(const Molecules &m, const Network &w);

}  // namespace pacia::minimol
