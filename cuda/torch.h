// What this package needs of libtorch's CUDA half, which only builds with the
// tag cuda have: in others every function returns one message. Functions return
// NULL, or a message that the caller frees. They are about the calling OS
// thread: its current stream of a device, and the graph it captures.
#ifndef PACIA_CUDA_TORCH_H
#define PACIA_CUDA_TORCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// pacia_torch_stream gives the current stream of a device as a CUstream.
char *pacia_torch_stream(int device, void **stream);
char *pacia_torch_synchronize(int device);

// pacia_torch_memory gives the most bytes that libtorch has held on a device.
char *pacia_torch_memory(int device, uint64_t *bytes);

// pacia_torch_free_cached gives the memory back that libtorch keeps for later.
char *pacia_torch_free_cached(void);

// pacia_torch_new_stream makes a stream that waits for no other, that of no
// number included. It is never destroyed: libtorch's allocator keeps memory by it.
char *pacia_torch_new_stream(int device, void **stream);

// pacia_torch_use_stream makes a stream the current one, and device the current
// device; pacia_torch_restore takes both back, and frees.
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
