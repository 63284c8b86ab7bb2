// The C interface of Adam. Every function that can fail returns NULL, or a message
// that the caller frees.
#ifndef PACIA_ADAM_H
#define PACIA_ADAM_H

#include "core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

// The options of one step of Adam over n parameters; see adam.hh.
typedef struct {
  double lr, beta1, beta2, eps, weight_decay, clip_norm;
  double warm, steps, least; // of the schedule; see arguments.cuh
  bool decoupled;
  int64_t step; // 1 for the first
} pacia_adam_options;
// made[i] is NULL, or for a lagging parameter the number of steps made by each row, int64.
// had[i] is whether a step before this one had a gradient of the parameter, and always false
// for a lagging parameter. The call updates it.
char *pacia_adam(const pacia_tensor *params, const pacia_tensor *m,
                 const pacia_tensor *v, const pacia_tensor *made, bool *had, int64_t n,
                 const pacia_adam_options *options, double *grad_norm);
// Makes the steps that n rows of a lagging parameter lack, up to options->step. NULL for rows
// selects all rows.
char *pacia_adam_catch_up(pacia_tensor param, pacia_tensor m, pacia_tensor v, pacia_tensor made,
                          const int64_t *rows, int64_t n, const pacia_adam_options *options);

// Adam by kernels; see adamtable.hh. numbers [PACIA_ADAM_NUMBERS] and log [any, 2] are tensors
// of doubles on the device.
typedef struct pacia_adam_table pacia_adam_table;
enum { PACIA_ADAM_STEPS = 0, PACIA_ADAM_NUMBERS = 7 };
char *pacia_adam_table_new(const pacia_tensor *params, const pacia_tensor *m,
                           const pacia_tensor *v, int64_t n, pacia_adam_table **out);
char *pacia_adam_table_launch(pacia_adam_table *table, pacia_tensor loss, pacia_tensor numbers,
                              pacia_tensor log, const pacia_adam_options *options, bool clear,
                              bool capturing);
char *pacia_adam_table_place(pacia_adam_table *table);
void pacia_adam_table_free(pacia_adam_table *table);

#ifdef __cplusplus
}
#endif
#endif
