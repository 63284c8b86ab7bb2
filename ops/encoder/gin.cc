// Embeddings of atoms and the layer of GIN.
#include "core/simd.hh"

#include "embed.hh"
#include "gin.hh"
