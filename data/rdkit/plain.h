// Graphs and fingerprints without RDKit's molecules: what parse.cc takes of plain_*.cc.
//
// Most molecules of a library are of a plain kind: known elements, charges of one,
// no isotopes, no radicals, rings that are told apart without doubt. For those, and for
// those alone, what RDKit's parser and sanitisation come to can be had in a twentieth of
// the time on arrays of fixed size. Each step below does what RDKit 2022.09's does, or
// finds that the molecule is not plain; then RDKit reads it, which also says what is
// wrong with it. So nothing is refused here.
#pragma once

#include <cstdint>
#include <vector>

#include "morgan.h"

namespace pacia {

constexpr int kPlainAtoms = 128, kPlainBonds = 128, kPlainDegree = 6, kPlainRings = 16;

// PlainSet is a set of atoms or of bonds.
using PlainSet = unsigned __int128;

// Plain is a molecule of A atoms and E bonds, in the order of its SMILES.
struct Plain {
  int atoms, bonds;
  bool stereo;  // the SMILES has marks of stereochemistry, of which nothing is kept

  // [A]
  uint8_t number[kPlainAtoms];     // of the element
  int8_t charge[kPlainAtoms];
  uint8_t explicitH[kPlainAtoms];  // hydrogens that its brackets name
  bool bracket[kPlainAtoms];       // it has all of its hydrogens
  bool aromatic[kPlainAtoms];
  uint8_t implicitH[kPlainAtoms];  // by valences
  uint8_t valence[kPlainAtoms];    // of bonds and explicit hydrogens
  uint8_t degree[kPlainAtoms];
  uint8_t neighbour[kPlainAtoms][kPlainDegree], bond[kPlainAtoms][kPlainDegree];

  // [E]
  uint8_t from[kPlainBonds], to[kPlainBonds];
  uint8_t order[kPlainBonds];       // 1, 2, 3, or kAromatic
  bool written[kPlainBonds];        // it was aromatic in the SMILES
  int8_t closes[kPlainBonds];       // the number of the ring that it closes; −1 for others

  // Rings, and where they are.
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

// Element is what RDKit knows of one.
struct Element {
  std::vector<int> valences;  // the default one first; ends with -1 where more are allowed
  int outer;                  // electrons
  bool early;                 // its charge counts the other way round
  int valence() const { return valences.front(); }
};
const Element &element(int number);  // plain_valence.cc

// pyrrolic has the hydrogen that n or p was written with be one by valence; false where
// that changes the valence.
bool pyrrolic(Plain &p, int a);  // plain_valence.cc

// The steps, in their order. Each returns false where the molecule is not plain.
bool readPlain(const char *smiles, int length, Plain &p);  // plain_read.cc
bool valences(Plain &p);                                   // plain_valence.cc
bool findRings(Plain &p);                                  // plain_rings.cc
bool kekulize(Plain &p);                                   // plain_kekule.cc
bool withoutRadicals(const Plain &p);                      // plain_valence.cc
bool aromatize(Plain &p);                                  // plain_aromatic.cc
void adjustHydrogens(Plain &p);                            // plain_valence.cc

// readWhole takes all steps. structure is what a fingerprint looks at, and writeGraph what
// rdkit.h calls atom, ends and bond, as RDKit has them of a molecule without marks of
// stereochemistry.
bool readWhole(const char *smiles, int length, Plain &p);                      // plain.cc
void structure(const Plain &p, Structure &s);                                  // plain.cc
void writeGraph(const Plain &p, uint8_t *atom, int32_t *ends, uint8_t *bond);  // plain.cc

}  // namespace pacia
