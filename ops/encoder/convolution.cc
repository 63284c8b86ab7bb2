// The layers of the encoders with published pretrained weights.
#include "core/libtorch.hh"

#include "attention.hh"
#include "mean.hh"
