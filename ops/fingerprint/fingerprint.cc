// The operations of the fingerprint encoder.
#include "core/libtorch.hh"

#include "counts.hh"
#include "dense.hh"
