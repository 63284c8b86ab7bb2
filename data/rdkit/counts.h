// Fingerprints of RDKit's molecules: the C interface of counts.cc, and what parse.cc and
// kekule.cc take of it.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_COUNTS_RDKIT = 0,   // by RDKit alone
  PACIA_COUNTS_MORGAN = 1,  // RDKit's molecule, morgan.cc's counts
};

// pacia_rdkit_counts makes a fingerprint in one of these ways: tests compare them.
//   bit, count  [2048] out: see parse.h
int32_t pacia_rdkit_counts(const char *smiles, int32_t length, int32_t how, uint16_t *bit,
                           uint16_t *count, int32_t *bits, char *reason, int32_t reason_capacity);

// pacia_rdkit_surroundings lists the surroundings of atoms that a fingerprint counts.
//   list  [capacity] out: the number of atoms, and what morgan.h's listSurroundings lists
//   size  out: the length of that, even where it does not fit (parse.h: PACIA_PARSE_TOO_SMALL)
int32_t pacia_rdkit_surroundings(const char *smiles, int32_t length, int32_t *list, int32_t capacity, int32_t *size,
                                 char *reason, int32_t reason_capacity);

#ifdef __cplusplus
}

namespace RDKit {
class ROMol;
}

namespace pacia {

// writeCounts is morgan.h's, of a sanitised molecule.
int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count);

}  // namespace pacia
#endif
