// The layers of the encoders that are published with pretrained weights.
#include "core/libtorch.hh"

#include "attention.hh"
#include "mean.hh"
