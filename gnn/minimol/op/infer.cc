// MiniMol without gradients; plain.cc defines the computation. A thread computes all layers for one
// share of the molecules, of some hundred atoms, at a time. Its states take a few hundred kB, and the
// weights are read from the cache that the threads share. Results that depend only on parameters are
// computed once: the kinds of bonds (there are few), and products of two consecutive linear layers.
// Atoms with equal states are computed once (alike.hh), which saves one atom in six for drug-like
// molecules.
//
// Legend: M rows, which are classes of atoms of a share or its molecules; d width of a state.
#include "core/libtorch.hh"

#include <atomic>
#include <mutex>

#include "alike.hh"
#include "network.hh"
#include "product/panels.hh"
#include "product/vector.hh"
#include "rows.hh"

namespace pacia::minimol {
namespace {

// kShare is the approximate number of classes that a thread processes at a time.
constexpr int64_t kShare = 384;

struct Linear {
  Tensor w, b;
  int64_t in, out;
  Panels<float> panels;

  Linear(const Tensor &w, const Tensor &b) : w(w.contiguous()), b(b.contiguous()), in(w.size(1)), out(w.size(0)),
                                             panels(this->w.data_ptr<float>(), in, out, true) {}
  explicit Linear(const Dense &d) : Linear(d.w, d.b) {}
  void times(const float *x, int64_t M, float *y) const { panels.times(x, in, 1, M, y, out, b.data_ptr<float>(), false); }
};

struct Scale {
  Tensor gain, offset;
  explicit Scale(const Norm &n) : gain(n.gain.contiguous()), offset(n.offset.contiguous()) {}
  const float *g() const { return gain.data_ptr<float>(); }
  const float *o() const { return offset.data_ptr<float>(); }
};

struct Stage {
  Linear linear;
  Scale scale;
  explicit Stage(const Step &s) : linear(s.dense), scale(s.norm) {}

  // relu, gelu and none write act(LN(W x + b)) of M rows to y.
  void relu(const float *x, int64_t M, float *y) const {
    linear.times(x, M, y);
    norm_relu(y, M, linear.out, scale.g(), scale.o());
  }
  void none(const float *x, int64_t M, float *y) const {
    linear.times(x, M, y);
    norm_none(y, M, linear.out, scale.g(), scale.o());
  }
  void gelu(const float *x, int64_t M, float *y, const float *plus) const {
    linear.times(x, M, y);
    norm_gelu(y, M, linear.out, scale.g(), scale.o(), plus);
  }
};

// Made is a network with the results that depend only on its parameters.
struct Made {
  Tensor eigen_w, eigen_b;  // [2, d], [d]: the first two layers on eigenvectors
  Linear eigen;             // the last two
  Scale walks;
  Stage walks_first, walks_second, atoms_first, atoms_second;
  std::vector<Tensor> kinds;  // of each layer: [kCodes, d], the kinds of bonds
  std::vector<std::unique_ptr<const Stage>> first, second, node;
  std::vector<std::unique_ptr<const Linear>> out;

  explicit Made(const Network &w);
};

Made::Made(const Network &w)
    : eigen_w(at::mm(w.eigen_first.w, w.eigen_in.w).t().contiguous()),
      eigen_b((w.eigen_first.w.mv(w.eigen_in.b) + w.eigen_first.b).contiguous()),
      eigen(at::mm(w.eigen_out.w, w.eigen_second.w), w.eigen_out.w.mv(w.eigen_second.b) * kEigen + w.eigen_out.b),
      walks(w.walks), walks_first(w.walks_first), walks_second(w.walks_second), atoms_first(w.atoms_first), atoms_second(w.atoms_second),
      first(w.layers.size()), second(w.layers.size()), node(w.nodes.size()), out(w.nodes.size()) {
  auto bonds = bond_features(w.eigen_in.w);
  auto e = at::empty({kCodes, w.bonds_first.dense.w.size(0)}, bonds.options());
  Stage(w.bonds_first).relu(bonds.data_ptr<float>(), kCodes, e.data_ptr<float>());
  auto g = at::empty({kCodes, w.bonds_second.dense.w.size(0)}, bonds.options());
  Stage(w.bonds_second).none(e.data_ptr<float>(), kCodes, g.data_ptr<float>());
  for (const auto &l : w.layers) kinds.push_back(at::linear(g, l.bonds.w, l.bonds.b).contiguous());
  const int64_t depth = static_cast<int64_t>(w.layers.size());
  at::parallel_for(0, depth, 1, [&](int64_t begin, int64_t end) {
    for (int64_t l = begin; l < end; l++) {
      first[l] = std::make_unique<Stage>(w.layers[l].first);
      second[l] = std::make_unique<Stage>(w.layers[l].second);
      if (l + 1 == depth) continue;
      node[l] = std::make_unique<Stage>(w.nodes[l].step);
      out[l] = std::make_unique<Linear>(w.nodes[l].out);
    }
  });
}

// Kept has the last network and the parameters that it was computed from. It is computed again
// only if the parameters are other tensors, if they were modified, or if other kernels compute
// products.
struct Kept {
  std::vector<Tensor> of;
  std::vector<uint32_t> versions;
  const Tiles *by = nullptr;
  std::shared_ptr<const Made> made;
};

std::shared_ptr<const Made> made_of(const Network &w) {
  static std::mutex turn;
  static auto *kept = new Kept;  // tensors must not outlive libtorch
  const std::lock_guard<std::mutex> lock(turn);
  const auto all = w.all();
  bool same = kept->by == tiles() && kept->of.size() == all.size();
  for (size_t i = 0; same && i < all.size(); i++) same = all[i].is_same(kept->of[i]) && all[i]._version() == kept->versions[i];
  if (!same) {
    kept->made = nullptr;
    kept->made = std::make_shared<const Made>(w);
    kept->of = all, kept->by = tiles(), kept->versions.clear();
    for (const auto &t : all) kept->versions.push_back(static_cast<uint32_t>(t._version()));
  }
  return kept->made;
}

// Share is a range of molecules; last is excluded.
struct Share {
  int64_t first, last;
};

std::vector<Share> shares(const std::vector<int32_t> &mol) {
  std::vector<Share> all;
  const auto n = static_cast<int64_t>(mol.size()) - 1;
  for (int64_t i = 0; i < n;) {
    const int64_t from = i;
    while (i < n && (i == from || mol[i + 1] - mol[from] <= kShare)) i++;
    all.push_back({from, i});
  }
  return all;
}

// Worker has the states of a share.
class Worker {
 public:
  Worker(const Molecules &m, const Classes &classes, const Made &w)
      : w_(w), classes_(classes), atoms_(m.atoms.data_ptr<uint8_t>()), spectrum_(m.spectrum.data_ptr<float>()), given_(m.given) {}

  // run writes the vectors [·, d] of a share's molecules to out.
  void run(Share s, float *out) {
    at_ = classes_.mol[s.first];
    M_ = classes_.mol[s.last] - at_;
    read();
    const int64_t depth = static_cast<int64_t>(w_.first.size());
    for (int64_t l = 0; l < depth; l++) {
      const auto &one = *w_.first[l], &two = *w_.second[l];
      messages(l);
      one.gelu(room(sum_, M_ * one.linear.in), M_, room(mid_, M_ * one.linear.out), nullptr);
      float *next = room(next_, M_ * two.linear.out);
      two.gelu(mid_.data(), M_, next, l > 0 && l + 1 < depth ? before_.data() : nullptr);
      if (l + 1 == depth) break;
      std::swap(next_, before_);
      virtual_node(l, s);
    }
    for (int64_t i = s.first; i < s.last; i++) {
      const int64_t d = w_.second[depth - 1]->linear.out;
      float *to = out + (i - s.first) * d;
      std::fill_n(to, d, -std::numeric_limits<float>::infinity());
      for (int64_t v = classes_.mol[i]; v < classes_.mol[i + 1]; v++) raise(to, next_.data() + (v - at_) * d, d);
    }
  }

 private:
  // room returns memory for n numbers with arbitrary values.
  static float *room(std::vector<float> &v, int64_t n) {
    if (static_cast<int64_t>(v.size()) < n) v.resize(static_cast<size_t>(n));
    return v.data();
  }

  // read writes the first states [M, d] to x_.
  void read() {
    const int64_t half = w_.eigen_b.size(0), p = w_.eigen.out, wide = p + kFeatures;
    float *sums = room(sum_, M_ * half), *walk = room(mid_, M_ * kWalks);
    const float *a = w_.eigen_w.data_ptr<float>();
    for (int64_t r = 0; r < M_; r++) {
      const float *s = spectrum_ + classes_.atom[at_ + r] * kSpectrum;
      (given_ ? one_sign : both_signs)(s + kWalks, s + kWalks + kEigen, a, a + half, w_.eigen_b.data_ptr<float>(), half, sums + r * half);
      std::copy_n(s, kWalks, walk + r * kWalks);
    }
    w_.eigen.times(sums, M_, room(next_, M_ * p));
    norm_none(walk, M_, kWalks, w_.walks.g(), w_.walks.o());
    w_.walks_first.relu(walk, M_, room(sum_, M_ * w_.walks_first.linear.out));
    w_.walks_second.relu(sum_.data(), M_, room(before_, M_ * p));
    float *rows = room(mid_, M_ * wide);
    for (int64_t r = 0; r < M_; r++) {
      float *row = rows + r * wide;
      for (int64_t i = 0; i < p; i++) row[i] = next_[r * p + i] + before_[r * p + i];
      features(atoms_ + classes_.atom[at_ + r] * kAtom, row + p);
    }
    w_.atoms_first.relu(rows, M_, room(sum_, M_ * w_.atoms_first.linear.out));
    w_.atoms_second.none(sum_.data(), M_, room(x_, M_ * w_.atoms_second.linear.out));
  }

  static void features(const uint8_t *atom, float *out) {
    for (int64_t i = 0; i < kNumbers; i++) out[i] = static_cast<float>(atom[i] - kOffsets[i]);
    std::fill_n(out + kNumbers, kFeatures - kNumbers, 0.f);
    int64_t from = kNumbers;
    for (int64_t i = 0; i < kCategories; from += kPlaces[i++]) out[from + atom[kNumbers + i]] = 1;
  }

  // messages writes x_v + Σ_u ReLU(x_u + kind) [M, d] to sum_.
  void messages(int64_t l) {
    const int64_t d = w_.first[l]->linear.in;
    const float *kinds = w_.kinds[l].data_ptr<float>();
    float *sum = room(sum_, M_ * d);
    for (int64_t r = 0; r < M_; r++) {
      std::copy_n(x_.data() + r * d, d, sum + r * d);
      for (int64_t k = classes_.rowptr[at_ + r]; k < classes_.rowptr[at_ + r + 1]; k++)
        message(sum + r * d, x_.data() + (classes_.col[k] - at_) * d, kinds + classes_.code[k] * d, d);
    }
  }

  // virtual_node updates the virtual nodes with before_, which is x_l, and writes y_l to x_.
  void virtual_node(int64_t l, Share s) {
    const auto &node = *w_.node[l];
    const int64_t n = s.last - s.first, d = node.linear.in;
    float *all = room(mean_, n * d), *v = room(v_, n * d), *halves = room(half_, n * d), *x = room(x_, M_ * d);
    for (int64_t i = 0; i < n; i++) {
      float *to = all + i * d, size = 0;
      std::fill_n(to, d, 0.f);
      for (int64_t v = classes_.mol[s.first + i]; v < classes_.mol[s.first + i + 1]; v++) {
        axpy(to, before_.data() + (v - at_) * d, classes_.count[v], d);
        size += classes_.count[v];
      }
      for (int64_t c = 0; c < d; c++) to[c] = to[c] * (std::log(size) / size) + (l > 0 ? v[i * d + c] : 0);
    }
    node.gelu(all, n, halves, nullptr);
    for (int64_t i = 0; i < n * d; i++) {
      v[i] = l > 0 ? v[i] + halves[i] : halves[i];
      halves[i] = v[i] / 2;
    }
    w_.out[l]->times(halves, n, all);
    for (int64_t i = 0; i < n; i++)
      for (int64_t r = classes_.mol[s.first + i] - at_; r < classes_.mol[s.first + i + 1] - at_; r++) {
        std::copy_n(before_.data() + r * d, d, x + r * d);
        add(x + r * d, all + i * d, d);
      }
  }

  const Made &w_;
  const Classes &classes_;
  const uint8_t *atoms_;
  const float *spectrum_;
  const bool given_;
  int64_t at_ = 0, M_ = 0;  // the share's first class, and its number of classes
  std::vector<float> x_, sum_, mid_, next_, before_;  // states of classes
  std::vector<float> v_, mean_, half_;                // of molecules
};

}  // namespace

Tensor infer(const Molecules &given, const Network &w) {
  const Molecules m{given.atoms.contiguous(), given.spectrum.to(at::kFloat).contiguous(), given.rowptr, given.col, given.code, given.mol, given.given};
  const at::NoGradGuard none;
  const auto made = made_of(w);
  const int64_t n = m.mol.size(0) - 1, d = made->second.back()->linear.out;
  auto out = at::empty({n, d}, w.eigen_in.w.options());
  const Classes classes = classes_of(m);
  const auto all = shares(classes.mol);
  std::atomic<size_t> next{0};
  at::parallel_for(0, std::min<int64_t>(at::get_num_threads(), static_cast<int64_t>(all.size())), 1, [&](int64_t, int64_t) {
    Worker worker(m, classes, *made);
    for (size_t i; (i = next.fetch_add(1)) < all.size();) worker.run(all[i], out.data_ptr<float>() + all[i].first * d);
  });
  return out;
}

}  // namespace pacia::minimol
