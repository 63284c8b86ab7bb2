// Classes of atoms that have equal states in every layer, such as the two ortho carbons of a
// phenyl, or the methyls of a tert-butyl. infer.cc computes one atom of each class.
//
// Atoms are first classified by the network's inputs, with eigenvectors up to their signs if the mean
// over both signs is used. The classes are then split by the kinds of their atoms' bonds and the
// classes of their neighbours, until no class changes (colour refinement, Weisfeiler and Leman 1968).
//
// Legend: A atoms, C classes of atoms, E bonds counted in both directions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "network.hh"

namespace pacia::minimol {
namespace {

// Classes is a batch with one atom for each class of atoms.
struct Classes {
  std::vector<int32_t> atom;   // [C] one atom of the class
  std::vector<float> count;    // [C] number of its atoms
  std::vector<int32_t> rowptr; // [C+1] bonds of that atom
  std::vector<int32_t> col;    // the classes at their other ends
  std::vector<uint8_t> code;
  std::vector<int32_t> mol;    // [n+1] classes of each molecule
};

// split assigns equal numbers to atoms with equal keys, from 0 on, and returns how many numbers
// there are.
template <class Key, class Of>
int32_t split(std::vector<int32_t> &number, const Of &key_of) {
  std::map<Key, int32_t> numbers;
  for (int32_t v = 0; v < static_cast<int32_t>(number.size()); v++)
    number[v] = numbers.emplace(key_of(v), static_cast<int32_t>(numbers.size())).first->second;
  return static_cast<int32_t>(numbers.size());
}

// classes_of returns the classes of the atoms of all molecules.
Classes classes_of(const Molecules &m) {
  const auto *atoms = m.atoms.data_ptr<uint8_t>(), *code = m.code.data_ptr<uint8_t>();
  const auto *spectrum = m.spectrum.data_ptr<float>();
  const int32_t *rowptr = ints(m.rowptr), *col = ints(m.col), *mol = ints(m.mol);
  typedef std::array<int32_t, kSpectrum + 3> Seen;
  Classes all;
  all.rowptr = all.mol = {0};
  for (int64_t i = 0; i + 1 < m.mol.size(0); i++) {
    const int32_t first = mol[i];
    std::vector<int32_t> number(mol[i + 1] - first), next(number.size());
    auto count = split<Seen>(number, [&](int32_t v) {
      Seen key = {};
      static_assert(kAtom <= 3 * sizeof(int32_t));
      std::memcpy(key.data(), atoms + (first + v) * kAtom, kAtom);
      for (int64_t k = 0; k < kSpectrum; k++) {
        const float x = spectrum[(first + v) * kSpectrum + k] + 0.f;  // -0 is 0
        const float used = m.given || k < kWalks + kEigen ? x : std::abs(x);
        std::memcpy(&key[3 + k], &used, sizeof used);
      }
      return key;
    });
    for (int32_t before = 0; before < count && count < static_cast<int32_t>(number.size());) {
      before = count;
      count = split<std::vector<int32_t>>(next, [&](int32_t v) {
        std::vector<int32_t> key;
        for (int32_t e = rowptr[first + v]; e < rowptr[first + v + 1]; e++)
          key.push_back(static_cast<int32_t>(number[col[e] - first] * kCodes + code[e]));
        std::sort(key.begin(), key.end());
        key.push_back(number[v]);
        return key;
      });
      std::swap(number, next);
    }
    const auto begin = static_cast<int32_t>(all.atom.size());
    all.atom.resize(begin + count, -1);
    all.count.resize(begin + count, 0);
    for (size_t v = 0; v < number.size(); v++) {
      auto &one = all.atom[begin + number[v]];
      if (one < 0) one = first + static_cast<int32_t>(v);
      all.count[begin + number[v]]++;
    }
    for (int32_t c = begin; c < begin + count; c++) {
      for (int32_t e = rowptr[all.atom[c]]; e < rowptr[all.atom[c] + 1]; e++) {
        all.col.push_back(begin + number[col[e] - first]);
        all.code.push_back(code[e]);
      }
      all.rowptr.push_back(static_cast<int32_t>(all.col.size()));
    }
    all.mol.push_back(begin + count);
  }
  return all;
}

}  // namespace
}  // namespace pacia::minimol
