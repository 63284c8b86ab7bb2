// Atoms with places in space: the C interface of conformer.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PACIA_CONFORMER_FEATURES = 27,

  // How atoms came to their places.
  PACIA_CONFORMER_SPACE = 0,
  PACIA_CONFORMER_PLANE = 1,
};

// pacia_rdkit_conformer reads the SMILES of `length` bytes and gives its atoms places.
//   how       PACIA_CONFORMER_PLANE: as in a drawing, without trying space
//   features  [capacity]    out: feature i of an atom is bit i
//   place     [capacity, 3] out: in Å
//   atoms     out: how many were written
//   made      out: how they came to their places
//   reason    out: one line, ended by a zero, where it is refused
// Returns a value of parse.h. No exception leaves it.
int32_t pacia_rdkit_conformer(const char *smiles, int32_t length, int32_t how, int32_t capacity, uint32_t *features,
                              float *place, int32_t *atoms, int32_t *made, char *reason, int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
