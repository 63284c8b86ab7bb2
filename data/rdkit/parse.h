// Parsing SMILES: the C interface of parse.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_PARSE_OK = 0,
  PACIA_PARSE_REFUSED = 1,    // reason says why
  PACIA_PARSE_TOO_SMALL = 2,  // more than `capacity` atoms or bonds
};

// pacia_rdkit_parse reads the SMILES of `length` bytes.
//   atom   [capacity, 2] out: atomic number - 1 (118: unknown), chirality tag; null
//                        where no atoms and bonds are asked for
//   ends   [capacity, 2] out: the two atoms of each bond
//   bond   [capacity, 2] out: type 0..3, direction 0..2
//   bit    [2048]        out: the counts of the fingerprint that are not 0, ascending
//   count  [2048]        out: these; null where no fingerprint is asked for
//   atoms, bonds, bits   out: how many were written
//   reason               out: one line, ended by a zero, where it is refused
// Returns one of the values above. No exception leaves it.
int32_t pacia_rdkit_parse(const char *smiles, int32_t length, int32_t capacity, uint8_t *atom,
                          int32_t *ends, uint8_t *bond, uint16_t *bit, uint16_t *count,
                          int32_t *atoms, int32_t *bonds, int32_t *bits, char *reason,
                          int32_t reason_capacity);

// pacia_rdkit_plain is pacia_rdkit_parse of a plain molecule (plain.h), without RDKit. There is
// room for as many atoms and bonds as the SMILES has bytes. Returns PACIA_PARSE_OK, or
// PACIA_PARSE_REFUSED where the molecule is another one, or atoms are asked for and it has
// marks of stereochemistry.
int32_t pacia_rdkit_plain(const char *smiles, int32_t length, uint8_t *atom, int32_t *ends, uint8_t *bond,
                          uint16_t *bit, uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits);

// pacia_rdkit_version returns RDKit's version, such as "2022.09.3".
const char *pacia_rdkit_version(void);

#ifdef __cplusplus
}
#endif
