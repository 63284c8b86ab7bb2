// The functions of libtorch's CUDA part that this package needs. They require the build tag
// cuda; in other builds, all of them return the same message. Functions return NULL, or a
// message that the caller frees. They refer to the calling OS thread: its current stream of a
// device, and the graph that it captures.
#ifndef PACIA_CUDA_TORCH_H
#define PACIA_CUDA_TORCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_torch_stream returns the current stream of a device as a CUstream.
char *pacia_torch_stream(int device, void **stream);
char *pacia_torch_synchronize(int device);

// pacia_torch_memory returns the largest number of bytes that libtorch has held on a device.
char *pacia_torch_memory(int device, uint64_t *bytes);

// pacia_torch_free_cached releases the unused memory that libtorch keeps for later.
char *pacia_torch_free_cached(void);

// pacia_torch_new_stream makes a stream that waits for no other, not even for the default
// stream. It is never destroyed, because libtorch's allocator assigns memory to it.
char *pacia_torch_new_stream(int device, void **stream);

// pacia_torch_use_stream makes a stream the current one, and device the current device.
// pacia_torch_restore restores both and frees `before`.
typedef struct pacia_place pacia_place;
char *pacia_torch_use_stream(int device, void *stream, pacia_place **before);
char *pacia_torch_restore(pacia_place *before);

// pool is the graph whose memory is shared, or NULL.
typedef struct pacia_graph pacia_graph;
char *pacia_graph_new(int device, pacia_graph **graph);
char *pacia_graph_begin(pacia_graph *graph, const pacia_graph *pool);
char *pacia_graph_end(pacia_graph *graph, int64_t *nodes);
char *pacia_graph_abort(pacia_graph *graph);
char *pacia_graph_replay(pacia_graph *graph);
char *pacia_graph_free(pacia_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
