// Reports of calls that break CUDA's rules.
#pragma once

#include <string>

namespace standin {

// wrong appends an error to the report file of the options. Without a file, it writes the error to
// stderr and aborts the process.
void wrong(const std::string &what);

// fatal ends the process if the stand-in itself cannot continue.
[[noreturn]] void fatal(const std::string &what);

}  // namespace standin
