// Picks of molecules that are unlike each other: the C interface of pick.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_rdkit_max_min picks `picks` of n molecules by RDKit's MaxMinPicker: the first
// one, then always the one whose nearest pick is farthest; of equal ones the first.
//   ptr    [n+1] in:  the counts of molecule i are those of ptr[i]..ptr[i+1]
//   bit    [C]   in:  of fingerprints, ascending in a molecule
//   count  [C]   in:  above 0
//   picked [picks] out: from 0, in the order in which they were picked
//   reason       out: one line, ended by a zero, where it is refused
// Returns PACIA_PARSE_OK or PACIA_PARSE_REFUSED of parse.h. No exception leaves it.
int32_t pacia_rdkit_max_min(const int32_t *ptr, const uint16_t *bit, const uint16_t *count,
                            int32_t n, int32_t picks, int32_t *picked, char *reason,
                            int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
