// Molecular descriptors: the C interface of descriptors.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PACIA_DESCRIPTORS = 200 };

// pacia_rdkit_descriptors computes the descriptors of the SMILES of `length` bytes.
//   value   [200] out: in the order of the names; NaN and infinity where there is none
//   reason  out: one line, ended by a zero, where the SMILES is refused
// Returns a value of parse.h. No exception leaves it.
int32_t pacia_rdkit_descriptors(const char *smiles, int32_t length, double *value, char *reason,
                                int32_t reason_capacity);

// pacia_rdkit_descriptor_name returns RDKit's name of descriptor i, 0..199.
const char *pacia_rdkit_descriptor_name(int32_t i);

#ifdef __cplusplus
}
#endif
