// Motifs of molecules, and how they hang together: the C interface of motifs.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_rdkit_motifs takes the molecule of a SMILES of `length` bytes apart.
//   number  [capacity] out: A atoms of the molecule; n motifs; E edges between motifs; how many
//                      atoms each motif has [n]; their numbers, motif after motif; the two
//                      motifs of each edge [E, 2]
//   names   [room]     out: the SMILES of each motif, a newline after each
//   numbers, bytes     out: how many were written; where PACIA_PARSE_TOO_SMALL is
//                      returned, how many there are
//   reason             out: one line, ended by a zero, where it is refused
// Returns one of the values of parse.h. No exception leaves it.
int32_t pacia_rdkit_motifs(const char *smiles, int32_t length, int32_t capacity, int32_t *number, int32_t room,
                           char *names, int32_t *numbers, int32_t *bytes, char *reason, int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
