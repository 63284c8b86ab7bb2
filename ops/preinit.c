// Settings of the libraries below us that are read once, from the environment,
// when they are loaded. Functions in .preinit_array run before that; what the
// user has set stays.
#include <stdlib.h>

static void settle(void) {
  // Threads of libgomp that wait for work spin for milliseconds by default.
  // Beside anything else that computes, that takes the processor away from
  // the thread waited for: steps took five times as long. About 10 µs bridge
  // the gaps between our loops.
  if (!getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "2000", 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = settle;
