// Drawings of molecules: the C interface of draw.cc.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_rdkit_draw draws the SMILES of `length` bytes as SVG, without a
// background, every letter as a path: no font is needed to show it.
//   rgba [atoms]    a colour behind each atom, 0xRRGGBBAA; atoms = 0: no colours
//   width, height   of the drawing, in pixels
//   svg [capacity]  out: the text
//   written         out: its length, even where it does not fit
//   reason          out: one line, ended by a zero, where it is refused
// Returns one of the values of parse.h. No exception leaves it.
int32_t pacia_rdkit_draw(const char *smiles, int32_t length, const uint32_t *rgba, int32_t atoms, int32_t width,
                         int32_t height, char *svg, int32_t capacity, int32_t *written, char *reason,
                         int32_t reason_capacity);

#ifdef __cplusplus
}
#endif
