// Embeddings of atoms, FiLM, and the layer of GIN.
#include "core/libtorch.hh"

#include "embed.hh"
#include "film.hh"
#include "gin.hh"
#include "gin_sparse.hh"
