// Graphs and fingerprints without RDKit's molecules: the interface of plain_*.cc.
//
// Most molecules of a library are plain: they have common elements, charges of at most one,
// no isotopes, no radicals, and a unique smallest set of smallest rings. For plain molecules
// only, the results of RDKit's parser and sanitisation can be computed in a twentieth of
// the time, on arrays of fixed size. Each step below does the same as in RDKit 2022.09, or
// finds that the molecule is not plain. Then RDKit reads it, and also reports errors in
// it, so that nothing is refused here.
#pragma once

#include <cstdint>
#include <vector>

#include "morgan.h"

namespace pacia {

constexpr int kPlainAtoms = 128, kPlainBonds = 128, kPlainDegree = 6, kPlainRings = 16;

// PlainSet is a set of atoms or of bonds.
using PlainSet = unsigned __int128;

// Plain is a molecule with A atoms and E bonds, in the order of its SMILES.
struct Plain {
  int atoms, bonds;
  bool stereo;  // the SMILES has marks of stereochemistry, which are not kept

  // [A]
  uint8_t number[kPlainAtoms];     // of the element
  int8_t charge[kPlainAtoms];
  uint8_t explicitH[kPlainAtoms];  // hydrogens in its brackets
  bool bracket[kPlainAtoms];       // it is in brackets, and has no implicit hydrogens
  bool aromatic[kPlainAtoms];
  uint8_t implicitH[kPlainAtoms];  // from valences
  uint8_t valence[kPlainAtoms];    // sum over bonds and explicit hydrogens
  uint8_t degree[kPlainAtoms];
  uint8_t neighbour[kPlainAtoms][kPlainDegree], bond[kPlainAtoms][kPlainDegree];

  // [E]
  uint8_t from[kPlainBonds], to[kPlainBonds];
  uint8_t order[kPlainBonds];       // 1, 2, 3, or kAromatic
  bool written[kPlainBonds];        // it is aromatic in the SMILES
  int8_t closes[kPlainBonds];       // the ring closure number of a bond that closes a ring; −1 for others

  // Rings, with their atoms and bonds.
  int rings;
  int ringSize[kPlainRings];
  PlainSet ringAtoms[kPlainRings], ringBonds[kPlainRings];
  PlainSet inRing, bondInRing;
};

constexpr uint8_t kAromatic = 12;  // RDKit's number of this type

inline PlainSet one(int i) { return PlainSet{1} << i; }
inline bool has(PlainSet s, int i) { return (s >> i & 1) != 0; }
inline int size(PlainSet s) {
  return __builtin_popcountll(static_cast<uint64_t>(s)) + __builtin_popcountll(static_cast<uint64_t>(s >> 64));
}

// Element has RDKit's data of an element.
struct Element {
  std::vector<int> valences;  // the default one first; ends with -1 if any valence is allowed
  int outer;                  // outer electrons
  bool early = false;         // a positive charge lowers its valences
  int valence() const { return valences.front(); }
};
const Element &element(int number);  // plain_valence.cc

// pyrrolic converts the explicit hydrogen of n or p to an implicit one; false if this
// changes the valence.
bool pyrrolic(Plain &p, int a);  // plain_valence.cc

// The steps, in their order. Each returns false if the molecule is not plain.
bool readPlain(const char *smiles, int length, Plain &p);  // plain_read.cc
bool valences(Plain &p);                                   // plain_valence.cc
bool findRings(Plain &p);                                  // plain_rings.cc
bool kekulize(Plain &p);                                   // plain_kekule.cc
bool withoutRadicals(const Plain &p);                      // plain_valence.cc
bool aromatize(Plain &p);                                  // plain_aromatic.cc
void adjustHydrogens(Plain &p);                            // plain_valence.cc

// readWhole runs all steps. structure makes the input of a fingerprint. writeGraph writes atom,
// ends and bond as in rdkit.h, for a molecule without marks of
// stereochemistry.
bool readWhole(const char *smiles, int length, Plain &p);                      // plain.cc
void structure(const Plain &p, Structure &s);                                  // plain.cc
void writeGraph(const Plain &p, uint8_t *atom, int32_t *ends, uint8_t *bond);  // plain.cc

}  // namespace pacia
