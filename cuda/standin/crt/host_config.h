// The real one, found first where it is, rejects compilers that nvcc does not
// know; a C++ compiler needs nothing of it. See host_defines.h.
