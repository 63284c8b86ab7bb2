// The functions that answer questions about a molecule, each in a .cc file.
//
// Legend: A atoms, E bonds, in RDKit's order.
#pragma once

#include <cstdint>
#include <string>

#include <GraphMol/GraphMol.h>

#include "read.h"
#include "rdkit.h"

namespace pacia {

// Answer has the bytes of an answer: numbers one after the other, in the processor's representation.
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

// parse appends a molecule as the model reads it: the lengths of the next two lists, and the number of non-zero counts c, of
// int32; atoms [A, 2] of bytes: atomic number - 1 (118: unknown), chirality tag; bonds [E, 2] of bytes: type 0..3,
// direction 0..2; ends [E, 2] of int32; the bits [c] and the counts [c] of uint16. `what` is a sum of PACIA_PARSE_….
void parse(const RDKit::RWMol &mol, int32_t what, Answer &out);

// kekule replaces aromatic bonds by single and double ones. The answer has A, E and the number of
// non-zero counts c, of int32; atoms [A, 6] of int32: atomic number, charge, degree, radical electrons, 1 in a
// ring, and the symbol as four bytes with a zero at the end; ends [E, 2] of int32; bonds [E] of bytes: 0 single,
// 1 double, 2 triple; the bits [c] and the counts [c] of uint16. c is 0 without `counts`.
void kekule(RDKit::RWMol &mol, bool counts, Answer &out);

// readBlock returns the molecule of a molblock, or throws the reason why it cannot be read. Without coordinates, its
// centres are those of the parities in the atom lines; lost gets PACIA_LOST_… for what is not known. RDKit forgives some
// errors if `strict` is false.
Mol readBlock(const std::string &text, bool strict, int32_t &lost);

// smilesOf returns a canonical, isomeric SMILES, and for racemates and the like the groups of their centres between
// bars: |&1:1| means both enantiomers, |o1:1| one of them. identityOf returns the same one for all drawings of a
// molecule: it does not matter which enantiomer stands for a group.
std::string smilesOf(const RDKit::ROMol &mol);
std::string identityOf(const RDKit::ROMol &mol);

// rewrite appends a SMILES (smilesOf; identityOf for how = 0), or a molblock; `how` is a sum of PACIA_REWRITE_…. For a
// molblock, the first byte of the answer is `lost`.
void rewrite(RDKit::RWMol &mol, int32_t how, int32_t lost, Answer &out);

// draw appends SVG of the given size in pixels, without a background. Letters are paths, so that no font is
// needed to show it. `look` has up to four lines: RRGGBBAA as eight digits for each atom, drawn behind it; a SMILES
// like which the molecule is drawn; for each atom the atom of that SMILES in whose place it is drawn, or -1; for
// each atom a number beside it, or 0. A line may be empty.
void draw(RDKit::RWMol &mol, int32_t width, int32_t height, const std::string &look, Answer &out);

// describe appends the descriptors [200] of doubles, in the order of their names, NaN or infinite
// if undefined. With `names` it appends the names instead, with a line feed after each.
void describe(const RDKit::RWMol &mol, bool names, Answer &out);

// conform appends a conformer: A; 1 if its coordinates are those of a drawing in the plane; features [A]
// of uint32, where feature i of an atom is bit i; coordinates [A, 3] of floats in Å. With `plane`, no
// embedding in space is tried.
void conform(RDKit::RWMol &mol, bool plane, Answer &out);

// takeApart appends motifs: A, the number n of motifs, the number e of edges between them; the number of
// atoms of each motif [n]; the atoms, motif after motif; the two motifs of each edge [e, 2], all of int32; the
// SMILES of each motif, with a line feed after each.
void takeApart(RDKit::RWMol &mol, Answer &out);

// minimol appends the input of the encoder MiniMol, in canonical order: the number 9A of the atoms' bytes, E; atoms [A, 9] of bytes:
// neighbours including hydrogens, charge + 128, radical electrons, 1 if aromatic, 1 if in a ring, places of
// element, group, period and valence in their lists; bonds [E] of bytes: (type·7 + stereo)·2 + 1 if in a ring;
// ends [E, 2] of int32.
void minimol(const RDKit::RWMol &mol, Answer &out);

// structure appends 1 for each pattern that the molecule fulfils and 0 for each other one. If it fulfils all of them, it
// then appends the cells that `what` selects, PACIA_STRUCTURE_…, with a line feed before each, or one line feed without
// cells. Patterns are lines of SMARTS, each after + (it must match) or - (it must not match).
// With PACIA_STRUCTURE_READINGS it appends a line feed and the second reading of each pattern (pattern.h) instead.
void structure(const RDKit::RWMol &mol, const std::string &patterns, int32_t what, Answer &out);

// environments appends the atom environments that a fingerprint counts: A, then the list of morgan.h's
// listEnvironments.
void environments(const RDKit::RWMol &mol, Answer &out);

// fragments appends the SMILES of parts of a molecule, with a line feed after each. A line of `lines` has the atoms of
// a part, atoms with labels, and these labels: lists separated by semicolons (fragments.go).
void fragments(const RDKit::RWMol &mol, const std::string &lines, Answer &out);

// writeCounts is morgan.h's for a sanitised molecule of RDKit.
int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count);

// counts appends a fingerprint: the number c of non-zero counts, of int32; the bits [c] and the counts [c] of
// uint16. With `own` it is RDKit's, otherwise that of morgan.cc: tests compare them.
void counts(const RDKit::RWMol &mol, bool own, Answer &out);

}  // namespace pacia
