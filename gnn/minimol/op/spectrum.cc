// Descriptors of an atom's position in its molecule's graph:
//
//   - the probability that a random walk along bonds returns after 1 to 16 steps;
//   - the lowest eight eigenvalues of the Laplacian D − A of its connected component, and the atom's
//     entries of their eigenvectors, which have length 1; zeros if the component has fewer atoms.
//
// A multiple eigenvalue has no unique basis of eigenvectors. The basis is computed from the
// projections of atoms: the longest first, each orthogonal to the previous ones. Atoms with
// projections of equal length are ordered by their return probabilities, and then by their indices.
// Numbers are rounded to float16, as in MiniMol's training.
//
// Legend: A atoms, n of them in a component.
#include "core/libtorch.hh"

#include <ATen/ops/linalg_eigh.h>

#include "core/check.hh"
#include "core/registry.hh"
#include "core/op.hh"
#include "network.hh"

namespace pacia {
namespace minimol {
namespace {

constexpr double kSame = 1e-6;  // values with a smaller difference are equal

struct Graph {
  const int32_t *rowptr, *col;
  int64_t degree(int64_t v) const { return rowptr[v + 1] - rowptr[v]; }
};

// walks writes the return probabilities of atoms first to first + n to out. The matrix of a walk,
// D⁻¹A, is replaced by the similar matrix S = D^-½ A D^-½, which is symmetric. A diagonal
// entry of S^(a+b) is then the inner product of a row of S^a and the same row of S^b.
void walks(const Graph &g, int64_t first, int64_t n, float *out) {
  if (n == 1) {
    std::fill_n(out, kWalks, 1.f);
    return;
  }
  std::vector<double> inverse(n), low(n * n, 0.), high(n * n);
  for (int64_t i = 0; i < n; i++) {
    inverse[i] = 1 / std::sqrt(std::max<double>(1, g.degree(first + i)));
    low[i * n + i] = 1;
  }
  for (int64_t k = 0; k < kWalks; k += 2) {
    for (int64_t i = 0; i < n; i++) {
      double *to = high.data() + i * n, odd = 0, even = 0;
      std::fill_n(to, n, 0.);
      for (int64_t e = g.rowptr[first + i]; e < g.rowptr[first + i + 1]; e++) {
        const int64_t j = g.col[e] - first;
        const double *from = low.data() + j * n, s = inverse[i] * inverse[j];
        for (int64_t c = 0; c < n; c++) to[c] += s * from[c];
      }
      for (int64_t c = 0; c < n; c++) {
        odd += to[c] * low[i * n + c];
        even += to[c] * to[c];
      }
      out[i * kSpectrum + k] = static_cast<float>(odd);
      out[i * kSpectrum + k + 1] = static_cast<float>(even);
    }
    std::swap(low, high);
  }
}

// components returns the atoms of each connected component, counted from first.
std::vector<std::vector<int32_t>> components(const Graph &g, int64_t first, int64_t n) {
  std::vector<std::vector<int32_t>> all;
  std::vector<bool> seen(n);
  for (int32_t i = 0; i < n; i++) {
    if (seen[i]) continue;
    auto &atoms = all.emplace_back(1, i);
    seen[i] = true;
    for (size_t k = 0; k < atoms.size(); k++)
      for (int64_t e = g.rowptr[first + atoms[k]]; e < g.rowptr[first + atoms[k] + 1]; e++) {
        const auto j = static_cast<int32_t>(g.col[e] - first);
        if (!seen[j]) {
          seen[j] = true;
          atoms.push_back(j);
        }
      }
    std::sort(atoms.begin(), atoms.end());
  }
  return all;
}

// later reports whether atom a comes after b if their projections have the same length.
bool later(const float *a, const float *b) {
  for (int64_t k = 0; k < kWalks; k++)
    if (std::abs(a[k] - b[k]) > kSame) return a[k] < b[k];
  return false;
}

// turn chooses the basis of eigenvectors begin to end, columns of v [n, n].
void turn(double *v, int64_t n, int64_t begin, int64_t end, const std::vector<const float *> &walk) {
  std::vector<double> p(n * n, 0.);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t t = begin; t < end; t++) p[i * n + j] += v[i * n + t] * v[j * n + t];
  for (int64_t t = begin; t < end; t++) {
    int64_t a = 0;
    for (int64_t i = 1; i < n; i++) {
      const double more = p[i * n + i] - p[a * n + a];
      if (more > kSame || (more > -kSame && later(walk[a], walk[i]))) a = i;
    }
    const double length = std::sqrt(p[a * n + a]);
    for (int64_t i = 0; i < n; i++) v[i * n + t] = p[i * n + a] / length;
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < n; j++) p[i * n + j] -= v[i * n + t] * v[j * n + t];
  }
}

// eigen writes the eigenvalues and eigenvectors of a component to out.
void eigen(const Graph &g, int64_t first, const std::vector<int32_t> &atoms, float *out) {
  const auto n = static_cast<int64_t>(atoms.size());
  auto laplacian = at::zeros({n, n}, at::kDouble);
  double *to = laplacian.data_ptr<double>();
  std::vector<const float *> walk;
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = first + atoms[i];
    walk.push_back(out + atoms[i] * kSpectrum);
    to[i * n + i] = static_cast<double>(g.degree(v));
    for (int64_t e = g.rowptr[v]; e < g.rowptr[v + 1]; e++)
      to[i * n + (std::lower_bound(atoms.begin(), atoms.end(), g.col[e] - first) - atoms.begin())] -= 1;
  }
  auto [values, vectors] = at::linalg_eigh(laplacian);
  vectors = vectors.contiguous();
  const double *l = values.data_ptr<double>();
  double *v = vectors.data_ptr<double>();
  const int64_t k = std::min(n, kEigen);
  for (int64_t begin = 0, end; begin < k; begin = end) {
    for (end = begin + 1; end < n && l[end] - l[end - 1] < kSame; end++) continue;
    if (end - begin > 1) turn(v, n, begin, end, walk);
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t t = 0; t < k; t++) {
      float *row = out + atoms[i] * kSpectrum + kWalks;
      row[t] = static_cast<float>(l[t]);
      row[kEigen + t] = static_cast<float>(v[i * n + t]);
    }
}

}  // namespace
}  // namespace minimol

// spectrum_op gives [A, kSpectrum] float32: return probabilities, eigenvalues, eigenvectors of
// atoms. Inputs, on the CPU: offsets of the bonds, their other ends, atom offsets.
template <class Path>
void spectrum_op(Args &a) {
  using namespace minimol;
  auto rowptr = a.tensor(), col = a.tensor(), mol = a.tensor();
  const int64_t A = rowptr.size(0) - 1;
  expect_offsets("molecules", mol, A);
  expect_offsets("bonds", rowptr, col.size(0));
  expect_below("ends of bonds", col, A);
  auto out = at::zeros({A, kSpectrum}, at::kFloat);
  const Graph g{ints(rowptr), ints(col)};
  const int32_t *from = ints(mol);
  const at::NoGradGuard none;
  at::parallel_for(0, mol.size(0) - 1, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      float *to = out.data_ptr<float>() + from[i] * kSpectrum;
      walks(g, from[i], from[i + 1] - from[i], to);
      for (const auto &atoms : components(g, from[i], from[i + 1] - from[i])) eigen(g, from[i], atoms, to);
    }
  });
  a.give(out.to(at::kHalf).to(at::kFloat));
}
PACIA_OP("walks and eigenvectors", spectrum_op)

}  // namespace pacia
