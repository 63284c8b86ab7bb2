// The C interface of this package: what Go calls.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the functions below return. No exception leaves them; where one refuses, `reason` is one
// line, ended by a zero.
enum {
  PACIA_OK = 0,
  PACIA_REFUSED = 1,    // reason says why
  PACIA_TOO_SMALL = 2,  // there is more than `capacity` to write
};

enum { PACIA_MAX_ATOMS = 1000 };  // of the molecule of a SMILES

// pacia_rdkit_parse reads the SMILES of `length` bytes.
//   atom   [capacity, 2] out: atomic number - 1 (118: unknown), chirality tag; null
//                        where no atoms and bonds are asked for
//   ends   [capacity, 2] out: the two atoms of each bond
//   bond   [capacity, 2] out: type 0..3, direction 0..2
//   bit    [2048]        out: the counts of the fingerprint that are not 0, ascending
//   count  [2048]        out: these; null where no fingerprint is asked for
//   atoms, bonds, bits   out: how many were written
int32_t pacia_rdkit_parse(const char *smiles, int32_t length, int32_t capacity, uint8_t *atom,
                          int32_t *ends, uint8_t *bond, uint16_t *bit, uint16_t *count,
                          int32_t *atoms, int32_t *bonds, int32_t *bits, char *reason,
                          int32_t reason_capacity);

// pacia_rdkit_plain is pacia_rdkit_parse of a plain molecule (plain.h), without RDKit. There is
// room for as many atoms and bonds as the SMILES has bytes. It refuses where the molecule is
// another one, or atoms are asked for and it has marks of stereochemistry.
int32_t pacia_rdkit_plain(const char *smiles, int32_t length, uint8_t *atom, int32_t *ends, uint8_t *bond,
                          uint16_t *bit, uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits);

// What pacia_rdkit_ask is asked of a molecule. ask.h has the function that answers each, and what
// a and b mean.
enum {
  PACIA_ASK_PARSE,  // Go calls pacia_rdkit_parse for it
  PACIA_ASK_KEKULE,
  PACIA_ASK_REWRITE,
  PACIA_ASK_DRAW,
  PACIA_ASK_DESCRIPTORS,
  PACIA_ASK_CONFORMER,
  PACIA_ASK_MOTIFS,
  PACIA_ASK_MINIMOL,
  PACIA_ASK_STRUCTURE,
  PACIA_ASK_COUNTS,
  PACIA_ASK_SURROUNDINGS,
};

enum {
  PACIA_REWRITE_BLOCK = 1,     // the text is a molblock, not a SMILES
  PACIA_REWRITE_LARGEST = 2,   // of several fragments, only the largest is kept
  PACIA_REWRITE_TO_BLOCK = 4,  // the result is a molblock with places in the plane
  PACIA_REWRITE_PARENT = 8,    // the parent of a salt (parent.h); nothing where that is the molecule

  // Which cells of a structure are made, in this order.
  PACIA_STRUCTURE_PROPERTIES = 1,  // weight, logP, TPSA, donors, acceptors, rings, QED
  PACIA_STRUCTURE_ALERTS = 2,      // names of the matches in PAINS, BRENK and NIH, three cells
  PACIA_STRUCTURE_CATALOG = 8,     // the same by RDKit's FilterCatalog: tests compare them
  PACIA_STRUCTURE_SCAFFOLD = 4,    // SMILES of the Murcko scaffold; empty without rings

  PACIA_DESCRIPTORS = 200,
  PACIA_CONFORMER_FEATURES = 27,
  PACIA_MINIMOL_ATOM = 9,  // numbers of an atom
  PACIA_KEKULE_ATOM = 6,   // 32-bit numbers of an atom
};

// pacia_rdkit_ask answers a question about the SMILES, or the molblock, of `length` bytes. What
// follows the SMILES in a new line is for the function that answers.
//   answer [capacity] out: bytes
//   size              out: how many; where PACIA_TOO_SMALL is returned, how many there are
int32_t pacia_rdkit_ask(int32_t kind, const char *text, int32_t length, int32_t a, int32_t b, char *answer,
                        int32_t capacity, int32_t *size, char *reason, int32_t reason_capacity);

// pacia_rdkit_max_min picks `picks` of n molecules by RDKit's MaxMinPicker: the first
// one, then always the one whose nearest pick is farthest; of equal ones the first.
//   ptr    [n+1] in:  the counts of molecule i are those of ptr[i]..ptr[i+1]
//   bit    [C]   in:  of fingerprints, ascending in a molecule
//   count  [C]   in:  above 0
//   picked [picks] out: from 0, in the order in which they were picked
int32_t pacia_rdkit_max_min(const int32_t *ptr, const uint16_t *bit, const uint16_t *count,
                            int32_t n, int32_t picks, int32_t *picked, char *reason,
                            int32_t reason_capacity);

// pacia_rdkit_version returns RDKit's version, such as "2022.09.3".
const char *pacia_rdkit_version(void);

#ifdef __cplusplus
}
#endif
