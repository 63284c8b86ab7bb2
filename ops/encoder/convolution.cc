// The layers of the encoders that are published with pretrained weights.
#include "attention.hh"
#include "mean.hh"
