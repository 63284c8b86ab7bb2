// The C interface of tensors. Every function that can fail returns NULL, or a
// message that the caller frees.
#ifndef PACIA_TENSORS_H
#define PACIA_TENSORS_H

#include "core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

// Autograd.
char *pacia_backward(pacia_tensor loss);
bool pacia_grad_enabled(void);
void pacia_set_grad_enabled(bool enabled);

// One block of bytes that is sent to a device as a whole; see slab.hh.
typedef struct pacia_slab pacia_slab;
char *pacia_slab_new(int64_t bytes, int device, pacia_slab **out);
char *pacia_slab_next(pacia_slab *slab, void **host);
char *pacia_slab_send(pacia_slab *slab);
char *pacia_slab_view(pacia_slab *slab, int64_t offset, int dtype, const int64_t *shape,
                      int64_t rank, pacia_tensor *out);
uint64_t pacia_address(pacia_tensor t);
void pacia_slab_free(pacia_slab *slab);

// Releases the gradients, so that the next backward pass creates new ones.
char *pacia_forget_grads(const pacia_tensor *params, int64_t n);

// Conversion of tensors. dtype: 0 uint8, 1 int32, 2 int64, 3 float32, 4 float64. device: -1 for
// the CPU, otherwise the number of the CUDA device.
char *pacia_from_host(const void *data, const int64_t *shape, int64_t rank,
                      int dtype, int device, bool requires_grad,
                      pacia_tensor *out);
char *pacia_read(pacia_tensor t, int dtype, void *data, int64_t elements);
char *pacia_write(pacia_tensor t, int dtype, const void *data,
                  int64_t elements);
// Writes rows [R, d] to the rows which [R] of a table [C, d]. gotch's in-place calls would keep
// a handle of the table forever.
char *pacia_set_rows(pacia_tensor table, pacia_tensor which, pacia_tensor rows);
char *pacia_read_grad(pacia_tensor t, double *data, int64_t elements,
                      bool *defined);

// The build and the machine.
void pacia_set_threads(int n);
int pacia_threads(void);

// Sets for the whole process the precision to which factors of products may be rounded: TF32 on
// a GPU; bf16 on the CPU if pacia_has_bf16 returns true.
typedef enum { PACIA_FLOAT32, PACIA_TF32, PACIA_BF16 } pacia_precision;
void pacia_set_precision(pacia_precision precision);
bool pacia_has_bf16(void);

// Returns the name of the implementation of products on the CPU.
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
