// Steps applied to an entry v of a product.
#pragma once

#include "core/shared.hh"

namespace pacia {

enum class After {
  nothing,
  relu,        // max(v, 0)
  leaky,       // v, or v·slope below 0
  relu_back,   // v where like > 0, else 0
  leaky_back,  // v where like > 0, else v·slope
};

}  // namespace pacia
