// The layers of the encoders that are published with pretrained weights, and FiLM.
#include "core/libtorch.hh"

#include "attention.hh"
#include "film.hh"
#include "mean.hh"
