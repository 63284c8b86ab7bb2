// The C interface of RDKit's part of this program, for Go.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_rdkit_answer answers a question of a kind in rdkit.h about a SMILES or a molblock of `length` bytes. Text in the
// lines behind the SMILES is for the function that answers; ask.h has it, and the meaning of a and b. It must be called by
// one thread at a time. No exception leaves it.
//   bytes  out: the answer or, with PACIA_REFUSED, the reason in one line; valid until the next call
//   size   out: their number
int32_t pacia_rdkit_answer(int32_t kind, const char *text, int32_t length, int32_t a, int32_t b, const char **bytes,
                           int32_t *size);

// pacia_rdkit_begin silences RDKit, and returns its version, such as "2022.09.3".
const char *pacia_rdkit_begin(void);

#ifdef __cplusplus
}
#endif
