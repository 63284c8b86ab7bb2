// The operations of the encoder of fingerprints.
#include "core/libtorch.hh"

#include "counts.hh"
#include "dense.hh"
