// Molecules with fixed double bonds, and their fingerprints: the C interface of
// kekule.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_KEKULE_ATOM = 5,         // numbers an atom
  PACIA_KEKULE_SYMBOL = 4,       // bytes a symbol, with the closing zero
};

// pacia_rdkit_kekule reads the SMILES of `length` bytes and turns its aromatic
// bonds into single and double ones.
//   atom   [capacity, 5] out: atomic number, charge, degree, radical electrons, 1 in a ring
//   symbol [capacity, 4] out: element, ended by a zero
//   ends   [capacity, 2] out: the two atoms of each bond
//   bond   [capacity]    out: 0 single, 1 double, 2 triple
//   bit    [2048]        out: the counts of the fingerprint that are not 0, ascending
//   count  [2048]        out: these; null where no fingerprint is asked for
//   atoms, bonds, bits   out: how many were written
//   reason               out: one line, ended by a zero, where it is refused
// Returns one of the values of parse.h. No exception leaves it.
int32_t pacia_rdkit_kekule(const char *smiles, int32_t length, int32_t capacity, int32_t *atom,
                           char *symbol, int32_t *ends, uint8_t *bond, uint16_t *bit,
                           uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits,
                           char *reason, int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
