// What package rdkit and pacia-rdkit have in common, and the C interface of the reader of plain molecules.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_OK = 0,
  PACIA_REFUSED = 1,
};

enum { PACIA_MAX_ATOMS = 1000 };  // of the molecule of a SMILES

// pacia_rdkit_plain reads a plain molecule (plain.h), a SMILES of `length` bytes. It refuses a molecule that is not plain, or
// that has marks of stereochemistry if `atom` is not null. The arrays must have room for as many atoms and bonds as the
// SMILES has bytes.
//   atom   [A, 2] out: atomic number - 1, chirality tag; null to leave out atoms and bonds
//   ends   [E, 2] out: the two atoms of each bond
//   bond   [E, 2] out: type 0..3, direction 0..2
//   bit    [2048] out: the bits of the fingerprint whose counts are not 0, ascending
//   count  [2048] out: these counts; null to leave out the fingerprint
//   atoms, bonds, bits  out: the numbers of elements written
int32_t pacia_rdkit_plain(const char *smiles, int32_t length, uint8_t *atom, int32_t *ends, uint8_t *bond,
                          uint16_t *bit, uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits);

// Kinds of questions for pacia-rdkit. Its ask.h has the function that answers each, and the meaning of a and b.
enum {
  PACIA_ASK_PARSE,
  PACIA_ASK_KEKULE,
  PACIA_ASK_REWRITE,
  PACIA_ASK_DRAW,
  PACIA_ASK_DESCRIPTORS,
  PACIA_ASK_CONFORMER,
  PACIA_ASK_MOTIFS,
  PACIA_ASK_MINIMOL,
  PACIA_ASK_STRUCTURE,
  PACIA_ASK_COUNTS,
  PACIA_ASK_ENVIRONMENTS,
  PACIA_ASK_FRAGMENTS,
};

enum {
  PACIA_PARSE_COUNTS = 1,  // with a fingerprint
  PACIA_PARSE_BARE = 2,    // without atoms and bonds

  PACIA_REWRITE_BLOCK = 1,      // the text is a molblock, not a SMILES
  PACIA_REWRITE_LARGEST = 2,    // only the largest fragment is kept
  PACIA_REWRITE_TO_BLOCK = 4,   // the result is a molblock with coordinates in the plane
  PACIA_REWRITE_PARENT = 8,     // the parent of a salt (parent.h); nothing if it is the molecule itself
  PACIA_REWRITE_TAUTOMER = 16,  // RDKit's canonical tautomer, without stereochemistry
  PACIA_REWRITE_LAX = 32,       // RDKit forgives some errors of a molblock

  // What a molblock without coordinates does not tell.
  PACIA_LOST_CENTRES = 1,  // the chiral flag announces centres, and none has a parity
  PACIA_LOST_BONDS = 2,    // whether double bonds are E or Z

  // The cells of a structure, in the order PROPERTIES, ALERTS, CATALOG, SCAFFOLD.
  PACIA_STRUCTURE_PROPERTIES = 1,  // weight, logP, TPSA, donors, acceptors, rings, QED
  PACIA_STRUCTURE_ALERTS = 2,      // names of the matches in PAINS, BRENK and NIH, three cells
  PACIA_STRUCTURE_CATALOG = 8,     // the same by RDKit's FilterCatalog; tests compare both
  PACIA_STRUCTURE_SCAFFOLD = 4,    // SMILES of the Murcko scaffold; empty without rings
  PACIA_STRUCTURE_READINGS = 16,   // in place of all else, the SMARTS of each pattern's second reading, or an empty text

  PACIA_DESCRIPTORS = 200,
  PACIA_CONFORMER_FEATURES = 27,
  PACIA_MINIMOL_ATOM = 9,  // bytes of an atom
  PACIA_KEKULE_ATOM = 6,   // 32-bit numbers of an atom
};

#ifdef __cplusplus
}
#endif
