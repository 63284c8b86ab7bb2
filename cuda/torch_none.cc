//go:build !cuda

#include "torch.h"

#include <cstring>

namespace {

char *none() {
  return strdup("this program was built for the CPU; make build-gpu builds it for a GPU");
}

}  // namespace

char *pacia_torch_stream(int, void **) { return none(); }
char *pacia_torch_synchronize(int) { return none(); }
char *pacia_torch_memory(int, uint64_t *) { return none(); }
char *pacia_torch_free_cached() { return none(); }
char *pacia_torch_new_stream(int, void **) { return none(); }
char *pacia_torch_use_stream(int, void *, pacia_place **) { return none(); }
char *pacia_torch_restore(pacia_place *) { return none(); }

char *pacia_graph_new(int, pacia_graph **) { return none(); }
char *pacia_graph_begin(pacia_graph *, const pacia_graph *) { return none(); }
char *pacia_graph_end(pacia_graph *, int64_t *) { return none(); }
char *pacia_graph_abort(pacia_graph *) { return none(); }
char *pacia_graph_replay(pacia_graph *) { return none(); }
char *pacia_graph_free(pacia_graph *) { return none(); }
