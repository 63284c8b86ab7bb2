// Embeddings of atoms and the layer of GIN.
#include "embed.hh"
#include "gin.hh"
