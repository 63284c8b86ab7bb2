// Embeddings of atoms and the layer of GIN.
#include "core/libtorch.hh"

#include "embed.hh"
#include "gin.hh"
