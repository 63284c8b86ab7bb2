// How the C++ of this package answers Go: with NULL, or with a message that the
// caller frees.
#pragma once

#include <cstring>
#include <exception>

namespace pacia {

// guarded runs f and turns whatever it throws into a message.
template <class F>
char *guarded(const F &f) {
  try {
    f();
    return nullptr;
  } catch (const std::exception &e) {
    return strdup(e.what());
  } catch (...) {
    return strdup("unknown exception");
  }
}

}  // namespace pacia
