// Reports of calls that break CUDA's rules.
#pragma once

#include <string>

namespace standin {

// wrong reports an error to the file of the options, or to stderr, and then aborts the process.
void wrong(const std::string &what);

// fatal ends the process if the stand-in itself cannot continue.
[[noreturn]] void fatal(const std::string &what);

}  // namespace standin
