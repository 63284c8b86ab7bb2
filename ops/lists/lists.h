// The C interface of lists of tensors. Every function that can fail returns NULL, or a
// message that the caller frees. Tensors of two lists may differ in precision.
#ifndef PACIA_LISTS_H
#define PACIA_LISTS_H

#include "core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets out[i] to zeros with the shape and on the device of like[i], in double precision if
// doubles is set.
char *pacia_list_new(const pacia_tensor *like, int64_t n, bool doubles, pacia_tensor *out);
// to[i] ← a·to[i] + b·from[i]. With gradients, the second term is b times the gradient of
// from[i], or 0 if there is none. to[i] is not read if a is 0.
char *pacia_list_add(const pacia_tensor *to, double a, const pacia_tensor *from, double b, int64_t n,
                     bool gradients);
// Sets the gradient of to[i] to a copy of from[i].
char *pacia_list_set_gradients(const pacia_tensor *to, const pacia_tensor *from, int64_t n);
// Computes the norm of all numbers together.
char *pacia_list_norm(const pacia_tensor *of, int64_t n, double *norm);

#ifdef __cplusplus
}
#endif
#endif
