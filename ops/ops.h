// The C interface of package ops: everything that Go may call. Tensors are
// gotch's own, that is torch::Tensor*; a NULL among the inputs stands for
// "none". Every function returns NULL, or a message that the caller frees.
#ifndef PACIA_OPS_H
#define PACIA_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *pacia_tensor;

// Bond types (single, double, triple, aromatic, self loop, mask) and
// directions (none, end up right, end down right), as in Hu et al. (2020).
enum { PACIA_BOND_TYPES = 6, PACIA_BOND_DIRECTIONS = 3 };

// What one operation reads and writes. Outputs are new tensors, owned by the
// caller; an operation leaves NULL where it has nothing to give.
typedef struct {
  const pacia_tensor *in;
  int64_t n_in;
  const int64_t *ints;
  int64_t n_ints;
  const double *reals;
  int64_t n_reals;
  pacia_tensor *out;
  int64_t n_out;
  uint64_t key; // address on the device of what is read in place of the key of dropout, or 0
} pacia_args;

typedef enum {
  PACIA_EMBED,
  PACIA_GIN,
  PACIA_GIN_REFERENCE,
  PACIA_MEAN,
  PACIA_MEAN_REFERENCE,
  PACIA_ATTENTION,
  PACIA_ATTENTION_REFERENCE,
  PACIA_SEGMENT_MEAN,
  PACIA_SEGMENT_MEAN_REFERENCE,
  PACIA_FILM,
  PACIA_FILM_REFERENCE,
  PACIA_HYPER,
  PACIA_MLP,
  PACIA_MIX,
  PACIA_RELATION,
  PACIA_RELATION_REFERENCE,
  PACIA_CLASSIFIER,
  PACIA_LOSS,
  PACIA_DROPOUT,
  PACIA_DROPOUT_REFERENCE,
  PACIA_PNA,
  PACIA_PNA_REFERENCE,
  PACIA_PNA_EMBED,
  PACIA_JUMP,
  PACIA_POOL,
  PACIA_POOL_REFERENCE,
  PACIA_COMBINED,
  PACIA_COMBINED_REFERENCE,
} pacia_op;

char *pacia_run(pacia_op op, const pacia_args *args);

// Autograd.
char *pacia_backward(pacia_tensor loss);
bool pacia_grad_enabled(void);
void pacia_set_grad_enabled(bool enabled);

// One step of Adam over n parameters; see adam.hh.
typedef struct {
  double lr, beta1, beta2, eps, weight_decay, clip_norm;
  bool decoupled;
  int64_t step; // 1 for the first
} pacia_adam_options;
char *pacia_adam(const pacia_tensor *params, const pacia_tensor *m,
                 const pacia_tensor *v, int64_t n,
                 const pacia_adam_options *options, double *grad_norm);

// Adam by kernels; see adamtable.hh. numbers and log are tensors of doubles on
// the device, [PACIA_ADAM_NUMBERS] and [any, 2].
typedef struct pacia_adam_table pacia_adam_table;
enum { PACIA_ADAM_STEPS = 0, PACIA_ADAM_NUMBERS = 6 };
char *pacia_adam_table_new(const pacia_tensor *params, const pacia_tensor *m,
                           const pacia_tensor *v, int64_t n, pacia_adam_table **out);
char *pacia_adam_table_launch(pacia_adam_table *table, pacia_tensor loss, pacia_tensor numbers,
                              pacia_tensor log, const pacia_adam_options *options, bool clear,
                              bool capturing);
char *pacia_adam_table_place(pacia_adam_table *table);
void pacia_adam_table_free(pacia_adam_table *table);

// One block of bytes that is sent to a device as a whole; see slab.hh.
typedef struct pacia_slab pacia_slab;
char *pacia_slab_new(int64_t bytes, int device, pacia_slab **out);
char *pacia_slab_next(pacia_slab *slab, void **host);
char *pacia_slab_send(pacia_slab *slab);
char *pacia_slab_view(pacia_slab *slab, int64_t offset, int dtype, const int64_t *shape,
                      int64_t rank, pacia_tensor *out);
uint64_t pacia_address(pacia_tensor t);
void pacia_slab_free(pacia_slab *slab);

// Forgets the gradients: a backward pass then makes new ones.
char *pacia_forget_grads(const pacia_tensor *params, int64_t n);

// Whether operations on a tensor are kernels of package cuda.
bool pacia_by_kernels(pacia_tensor t);

// Tensors in and out. dtype: 0 uint8, 1 int32, 2 int64, 3 float32, 4 float64.
// device: -1 CPU, otherwise the number of the CUDA device.
char *pacia_from_host(const void *data, const int64_t *shape, int64_t rank,
                      int dtype, int device, bool requires_grad,
                      pacia_tensor *out);
char *pacia_read(pacia_tensor t, int dtype, void *data, int64_t elements);
char *pacia_write(pacia_tensor t, int dtype, const void *data,
                  int64_t elements);
char *pacia_read_grad(pacia_tensor t, double *data, int64_t elements,
                      bool *defined);

// For tests, of the calling thread: kernels of package cuda run on the emulator,
// on tensors of the CPU, where otherwise the loops of this layer would. 0 not, 1 so,
// 2 with their blocks and threads in the other order.
void pacia_emulate(int how);
int pacia_emulating(void);

// The kernels of package cuda started so far by this process.
int64_t pacia_launches(void);

// The build and the machine.
void pacia_set_threads(int n);
int pacia_threads(void);

// For the whole process: to what the factors of products may be rounded, on a
// GPU TF32, on the CPU bf16, if its products have it.
typedef enum { PACIA_FLOAT32, PACIA_TF32, PACIA_BF16 } pacia_precision;
void pacia_set_precision(pacia_precision precision);
bool pacia_has_bf16(void);

// Who makes the products on the CPU.
const char *pacia_products(void);

typedef struct {
  char torch[32];
  char cuda[32]; // CUDA runtime linked in, or ""
  int cxx11_abi;
  int devices;
} pacia_build_info;
char *pacia_info(pacia_build_info *info);

#ifdef __cplusplus
}
#endif
#endif
