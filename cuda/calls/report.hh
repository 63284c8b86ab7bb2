// What was done against CUDA's rules.
#pragma once

#include <string>

namespace standin {

// wrong reports it: to the file of the options, or on stderr, as the last the process does.
void wrong(const std::string &what);

// fatal ends the process: the stand-in itself cannot go on.
[[noreturn]] void fatal(const std::string &what);

}  // namespace standin
