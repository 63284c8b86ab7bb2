#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <GraphMol/GraphMol.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PeriodicTable.h>

#include "descriptors_parts.h"

// Descriptors of molecular graphs that RDKit computes in Python. The arithmetic follows its modules
// EState.EState and GraphDescriptors, including their differences from the publications.
//
// Legend: n atoms.

namespace pacia {

namespace {

// kApart is larger than any distance between two atoms of one fragment.
constexpr double kApart = 1e6;

int quantumNumber(int element) {
  int number = 1;
  for (const int last : {2, 10, 18, 36, 54, 86}) number += element > last;
  return number;
}

// entropy returns the entropy of values, divided by their sum, in bits.
double entropy(const std::vector<double> &of) {
  double sum = 0, out = 0;
  for (const double v : of) sum += v;
  if (sum == 0) return 0;
  for (const double v : of) {
    if (v > 0) out -= v / sum * std::log2(v / sum);
  }
  return out;
}

template <class Map>
std::vector<double> valuesOf(const Map &map) {
  std::vector<double> values;
  for (const auto &entry : map) values.push_back(entry.second);
  return values;
}

// weightedDistances returns the distances [n, n], with a length of 1/order for each bond.
const double *weightedDistances(const RDKit::ROMol &mol) {
  return RDKit::MolOps::getDistanceMat(mol, true, false, false, "Balaban");
}

// classes returns the class of each atom, from 1. Two atoms are in one class if their hundred smallest distances
// are equal to four decimals.
std::vector<int> classes(const RDKit::ROMol &mol) {
  constexpr size_t kNearest = 100;
  const size_t n = mol.getNumAtoms();
  const double *distance = weightedDistances(mol);
  std::map<std::vector<long long>, int> seen;
  std::vector<int> of(n);
  for (size_t i = 0; i < n; ++i) {
    std::vector<double> row(distance + i * n, distance + (i + 1) * n);
    std::sort(row.begin(), row.end());
    row.resize(std::min(n, kNearest));
    std::vector<long long> key;
    for (const double d : row) key.push_back(std::llround(1e4 * d));
    of[i] = seen.emplace(key, static_cast<int>(seen.size()) + 1).first->second;
  }
  return of;
}

double order(const RDKit::Bond &bond) { return bond.getIsAromatic() ? 1.5 : static_cast<double>(bond.getBondType()); }

// connections counts pairs of bonds that share an atom, by the classes of their three atoms. It also counts pairs
// within a multiple bond; the key of these begins with −1, since there is no third atom.
std::map<std::tuple<int, int, int>, double> connections(const RDKit::ROMol &mol, const std::vector<int> &of) {
  std::map<std::tuple<int, int, int>, double> count;
  for (const auto *atom : mol.atoms()) {
    const int a = static_cast<int>(atom->getIdx());
    std::vector<std::pair<int, double>> next;  // other atom, order
    for (const auto *bond : mol.atomBonds(atom)) {
      next.emplace_back(static_cast<int>(bond->getOtherAtomIdx(atom->getIdx())), order(*bond));
    }
    for (size_t i = 0; i < next.size(); ++i) {
      const auto [b, bOrder] = next[i];
      if (bOrder > 1 && b > a) count[{-1, std::min(of[a], of[b]), std::max(of[a], of[b])}] += bOrder * (bOrder - 1) / 2;
      for (size_t j = i + 1; j < next.size(); ++j) {
        const auto [c, cOrder] = next[j];
        count[{std::min(of[b], of[c]), of[a], std::max(of[b], of[c])}] += bOrder * cOrder;
      }
    }
  }
  return count;
}

}  // namespace

std::vector<double> estates(const RDKit::ROMol &mol) {
  const auto *table = RDKit::PeriodicTable::getTable();
  const size_t n = mol.getNumAtoms();
  std::vector<double> own(n, 0), sum(n, 0);
  for (const auto *atom : mol.atoms()) {
    if (atom->getDegree() == 0) continue;
    const int element = atom->getAtomicNum(), period = quantumNumber(element);
    const int valence = table->getNouterElecs(element) - static_cast<int>(atom->getTotalNumHs());
    own[atom->getIdx()] = (4. / (period * period) * valence + 1) / atom->getDegree();
  }
  const double *distance = RDKit::MolOps::getDistanceMat(mol);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      const double p = distance[i * n + j] + 1;
      if (p >= kApart) continue;
      const double difference = (own[i] - own[j]) / (p * p);
      sum[i] += difference;
      sum[j] -= difference;
    }
  }
  for (size_t i = 0; i < n; ++i) sum[i] += own[i];
  return sum;
}

double balabanJ(const RDKit::ROMol &mol) {
  const size_t n = mol.getNumAtoms();
  const double *distance = weightedDistances(mol);
  std::vector<double> row(n, 0);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) row[i] += distance[j * n + i];
  }
  double sum = 0;
  for (const auto *bond : mol.bonds()) sum += 1 / std::sqrt(row[bond->getBeginAtomIdx()] * row[bond->getEndAtomIdx()]);
  const int bonds = static_cast<int>(mol.getNumBonds()), rings = bonds - static_cast<int>(n) + 1;
  return rings + 1 == 0 ? 0 : static_cast<double>(bonds) / (rings + 1) * sum;
}

double bertzCT(const RDKit::ROMol &mol) {
  const size_t n = mol.getNumAtoms();
  if (n < 2) return 0;
  std::map<int, double> elements;
  for (const auto *atom : mol.atoms()) ++elements[atom->getAtomicNum()];
  const double ofElements = static_cast<double>(n) * entropy(valuesOf(elements));
  const std::vector<double> counts = valuesOf(connections(mol, classes(mol)));
  double total = 0;
  for (const double c : counts) total += c;
  return total == 0 ? ofElements : ofElements + total * (entropy(counts) + std::log2(total));
}

double chi0(const RDKit::ROMol &mol) {
  double sum = 0;
  for (const auto *atom : mol.atoms()) {
    if (atom->getDegree() > 0) sum += std::sqrt(1. / atom->getDegree());
  }
  return sum;
}

double chi1(const RDKit::ROMol &mol) {
  double sum = 0;
  for (const auto *bond : mol.bonds()) {
    sum += std::sqrt(1. / (bond->getBeginAtom()->getDegree() * bond->getEndAtom()->getDegree()));
  }
  return sum;
}

// By the recursion of Le Verrier, Faddeev and Frame with the adjacency matrix A: A_1 = A,
// c_k = tr(A_k)/k, A_{k+1} = A (A_k − c_k I).
double ipc(const RDKit::ROMol &mol) {
  const size_t n = mol.getNumAtoms();
  std::vector<double> now(n * n, 0), next(n * n);
  for (const auto *bond : mol.bonds()) {
    const size_t i = bond->getBeginAtomIdx(), j = bond->getEndAtomIdx();
    now[i * n + j] = now[j * n + i] = 1;
  }
  std::vector<double> coefficients(1, 1);
  for (size_t k = 1; k <= n; ++k) {
    double trace = 0;
    for (size_t i = 0; i < n; ++i) trace += now[i * n + i];
    const double c = 1. / static_cast<double>(k) * trace;
    coefficients.push_back(std::abs(c));
    for (size_t i = 0; i < n; ++i) now[i * n + i] -= c;
    std::fill(next.begin(), next.end(), 0);
    for (const auto *bond : mol.bonds()) {
      const size_t i = bond->getBeginAtomIdx(), j = bond->getEndAtomIdx();
      for (size_t x = 0; x < n; ++x) {
        next[i * n + x] += now[j * n + x];
        next[j * n + x] += now[i * n + x];
      }
    }
    now.swap(next);
  }
  double sum = 0;
  for (const double c : coefficients) sum += c;
  return sum * entropy(coefficients);
}

}  // namespace pacia
