// What a chemist filters and sorts molecules by: the C interface of structure.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bits of `what`: which cells are made, in this order.
enum {
  PACIA_STRUCTURE_PROPERTIES = 1,  // weight, logP, TPSA, donors, acceptors, rings, QED
  PACIA_STRUCTURE_ALERTS = 2,      // names of the matches in PAINS, BRENK and NIH, three cells
  PACIA_STRUCTURE_SCAFFOLD = 4,    // SMILES of the Murcko scaffold; empty without rings
};

// pacia_rdkit_structure reads the SMILES of `length` bytes and describes it.
//   patterns  in:  lines of SMARTS, each after + (it must match) or - (it must not match)
//   text      out: empty where a pattern leaves the molecule out, or a line feed and then
//                  the cells, with a line feed between two of them
//   size      out: bytes of the text
//   reason    out: one line, ended by a zero, where it is refused
// Returns a value of parse.h: PACIA_PARSE_TOO_SMALL where the text has more than `capacity`
// bytes. No exception leaves it.
int32_t pacia_rdkit_structure(const char *smiles, int32_t length, const char *patterns, int32_t patterns_length,
                              int32_t what, char *text, int32_t capacity, int32_t *size, char *reason,
                              int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
