// The functions that answer questions about a molecule, a .cc file each.
//
// Legend: A atoms, E bonds, in RDKit's order.
#pragma once

#include <cstdint>
#include <string>

#include <GraphMol/GraphMol.h>

#include "guard.h"
#include "rdkit.h"

namespace pacia {

// Answer is the bytes of an answer: numbers one after the other, as the processor has them.
struct Answer {
  std::string bytes;

  template <class T>
  void add(const T *values, size_t n) {
    bytes.append(reinterpret_cast<const char *>(values), n * sizeof(T));
  }
  template <class T>
  void add(T value) {
    add(&value, 1);
  }
  void size(size_t n) { add(static_cast<int32_t>(n)); }
};

// kekule turns aromatic bonds into single and double ones: A, E and the number of counts c;
// atoms [A, 6] of int32: atomic number, charge, degree, radical electrons, 1 in a ring, and four
// bytes of the symbol, ended by a zero; ends [E, 2] of int32; bonds [E] of bytes: 0 single, 1
// double, 2 triple; which counts are not 0 and these, [c] of uint16. c is 0 without `counts`.
void kekule(RDKit::RWMol &mol, bool counts, Answer &out);

// rewrite gives a canonical, isomeric SMILES, or a molblock; `how` is a sum of PACIA_REWRITE_….
void rewrite(RDKit::RWMol &mol, int32_t how, Answer &out);

// draw gives SVG of so many pixels without a background, every letter as a path: no font is
// needed to show it. colours are behind the atoms, 0xRRGGBBAA of eight digits each; none: no colours.
void draw(RDKit::RWMol &mol, int32_t width, int32_t height, const std::string &colours, Answer &out);

// describe gives the descriptors [200] of doubles, in the order of their names, NaN and infinity
// where there is none; or the names, a newline after each.
void describe(const RDKit::RWMol &mol, bool names, Answer &out);

// conform gives atoms places: A; 1 where these are in the plane, as in a drawing; features [A] of
// uint32, feature i of an atom is bit i; places [A, 3] of floats, in Å. Space is not tried with
// `plane`.
void conform(RDKit::RWMol &mol, bool plane, Answer &out);

// takeApart gives motifs: A, n motifs, e edges between them; how many atoms each motif has [n]; their
// numbers, motif after motif; the two motifs of each edge [e, 2], all of int32; the SMILES of each
// motif, a newline after each.
void takeApart(RDKit::RWMol &mol, Answer &out);

// minimol gives what the encoder MiniMol reads: the bytes of atoms 9A, E; atoms [A, 9]: neighbours,
// hydrogens included, charge + 128, radical electrons, 1 if aromatic, 1 if in a ring, places of
// element, group, period and valence; bonds [E]: (type·7 + stereo)·2 + 1 if in a ring; ends [E, 2]
// of int32.
void minimol(const RDKit::RWMol &mol, Answer &out);

// structure gives nothing where a pattern leaves the molecule out, or a line feed and then the cells
// that `what` names, PACIA_STRUCTURE_…, with a line feed between two of them. Patterns are lines of
// SMARTS, each after + (it must match) or - (it must not match).
void structure(const RDKit::RWMol &mol, const std::string &patterns, int32_t what, Answer &out);

// surroundings lists those of atoms that a fingerprint counts: A, and morgan.h's listSurroundings.
void surroundings(const RDKit::RWMol &mol, Answer &out);

// counts gives a fingerprint: how many counts are not 0, which, and these, of uint16. With `own` it
// is RDKit's own, else morgan.cc's: tests compare them.
void counts(const RDKit::RWMol &mol, bool own, Answer &out);

}  // namespace pacia
