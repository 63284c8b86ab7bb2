// OpenMP's runtime is linked into the program, where libtorch's calls find it
// before libtorch's own copy: one pool of threads for both, whose settings can
// be made here, before its constructor reads them from the environment.
#include <stdlib.h>

// Threads that wait for work spin for milliseconds by default. Beside anything
// else that computes, that takes the processor away from the thread waited
// for, and a step takes five times as long. About 10 µs bridge the gaps
// between our loops. What the user has set stays.
__attribute__((constructor(101))) static void sleep_soon(void) {
  if (!getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "2000", 0);
}
