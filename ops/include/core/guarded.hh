// The result of C++ functions that Go calls: NULL, or a message that the caller frees.
#pragma once

#include <c10/util/Exception.h>

#include <cstring>
#include <exception>

namespace pacia {

// guarded runs f and converts an exception to a message.
template <class F>
char *guarded(const F &f) {
  try {
    f();
    return nullptr;
  } catch (const c10::Error &e) {
    return strdup(e.what_without_backtrace());
  } catch (const std::exception &e) {
    return strdup(e.what());
  } catch (...) {
    return strdup("unknown exception");
  }
}

}  // namespace pacia
