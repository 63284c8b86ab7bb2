// The original, which precedes this file in the search order if it is installed, rejects
// compilers that nvcc does not support. C++ compilers need nothing from it. See host_defines.h.
