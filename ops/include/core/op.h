// The C interface of the operations, for calls from Go. Tensors are gotch's own, that is
// torch::Tensor*; NULL among the inputs means "none". Every function that can fail returns
// NULL, or a message that the caller frees.
#ifndef PACIA_OP_H
#define PACIA_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *pacia_tensor;

// Bond types and directions; see cuda/kernels/shared.cuh.
enum { PACIA_BOND_TYPES = 6, PACIA_BOND_DIRECTIONS = 3 };

// The inputs and outputs of one operation. Outputs are new tensors, owned by the caller; NULL
// means that the operation has no such output.
typedef struct {
  const pacia_tensor *in;
  int64_t n_in;
  const int64_t *ints;
  int64_t n_ints;
  const double *reals;
  int64_t n_reals;
  pacia_tensor *out;
  int64_t n_out;
  uint64_t key; // address on the device of a number that replaces the key of dropout, or 0
} pacia_args;

// The form of an operation that runs: its plain form, its loops for the CPU, its kernels for a
// GPU, or the fastest of these for the device of its inputs. An operation without the requested
// form runs its plain form.
typedef enum { PACIA_FASTEST, PACIA_PLAIN, PACIA_LOOPS, PACIA_KERNELS } pacia_path;

// One row of the table of operations, ops/table.cc.
typedef struct pacia_op pacia_op;

// pacia_find returns the operation of this name, or NULL; pacia_op_at returns the i-th
// operation, or NULL after the last.
const pacia_op *pacia_find(const char *name);
const pacia_op *pacia_op_at(int i);
const char *pacia_op_name(const pacia_op *op);
bool pacia_has(const pacia_op *op, pacia_path path);

char *pacia_run(const pacia_op *op, pacia_path path, const pacia_args *args);

// A loss over layers, from LAYER_LOSSES in cuda/kernels/arguments.cuh: its name, its text in the
// explanation of settings, and whether softmax(p) weights it. pacia_layer_loss_at returns the i-th,
// or NULL after the last.
typedef struct {
  const char *name, *text;
  bool by_p;
} pacia_layer_loss;
const pacia_layer_loss *pacia_layer_loss_at(size_t i);

// pacia_by_kernels reports whether kernels are the fastest path for a tensor.
bool pacia_by_kernels(pacia_tensor t);

// For tests, in the calling thread: kernels of package cuda run on the emulator, on tensors of
// the CPU, in place of loops. 0 is off, 1 is on, 2 runs blocks and threads in reverse order.
void pacia_emulate(int how);
int pacia_emulating(void);

// The number of kernels of package cuda that this process has started.
int64_t pacia_launches(void);

// pacia_overlaps returns the number of kernels that began on the emulator while another thread
// ran a kernel there.
int64_t pacia_overlaps(void);

// pacia_row_threads returns the number of threads for each row of d elements.
unsigned pacia_row_threads(int64_t d);

#ifdef __cplusplus
}
#endif
#endif
