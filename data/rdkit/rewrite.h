// Molecules from one form to another: the C interface of rewrite.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_REWRITE_BLOCK = 1,    // the text is a molblock, not a SMILES
  PACIA_REWRITE_LARGEST = 2,  // of several fragments, only the largest is kept
  PACIA_REWRITE_TO_BLOCK = 4, // the result is a molblock with places in the plane
  PACIA_REWRITE_PARENT = 8,   // the parent of a salt (parent.h); nothing where that is the molecule
};

// pacia_rdkit_rewrite reads the SMILES or the molblock of `length` bytes and writes
// its canonical, isomeric SMILES, or a molblock.
//   how    in:  a sum of the values above
//   smiles [capacity] out: the SMILES, not ended by a zero
//   size   out: its bytes; where PACIA_PARSE_TOO_SMALL is returned, those it takes
//   reason out: one line, ended by a zero, where it is refused
// Returns one of the values of parse.h. No exception leaves it.
int32_t pacia_rdkit_rewrite(const char *text, int32_t length, int32_t how, char *smiles,
                            int32_t capacity, int32_t *size, char *reason,
                            int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
