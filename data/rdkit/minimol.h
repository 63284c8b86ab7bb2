// What the encoder MiniMol reads of a molecule.
#ifndef PACIA_RDKIT_MINIMOL_H
#define PACIA_RDKIT_MINIMOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PACIA_MINIMOL_ATOM = 9 };  // numbers of an atom

// pacia_rdkit_minimol reads the SMILES of `length` bytes.
//   atom   [capacity, 9] out: neighbours, hydrogens included; charge + 128; radical electrons; 1 if
//                        aromatic; 1 if in a ring; places of element, group, period and valence
//   ends   [capacity, 2] out: the two atoms of each bond
//   bond   [capacity]    out: (type·7 + stereo)·2 + 1 if in a ring
//   atoms, bonds         out: how many were written
// Everything else, and what it returns, is as for pacia_rdkit_parse.
int32_t pacia_rdkit_minimol(const char *smiles, int32_t length, int32_t capacity, uint8_t *atom, int32_t *ends,
                            uint8_t *bond, int32_t *atoms, int32_t *bonds, char *reason, int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
#endif
