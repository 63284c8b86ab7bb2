// The runtime of OpenMP is linked into the program. Calls by libtorch resolve to it
// and not to libtorch's own copy, so both use one pool of threads. This file sets its
// options before its constructor reads them from the environment.
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/waits.h"

// Threads that wait for work spin for milliseconds by default. If other programs
// also compute, this takes the processor away from the thread that is waited for,
// and a step takes five times as long. About 10 µs bridge the gaps between loops.
// If no other program computes, a thread that sleeps is late for the next loop, and
// a step takes a tenth longer than with long waits. So waits are short at first, and
// pacia_fit_waits sets their length. The user's own settings take precedence.
enum { short_wait = 2000, long_wait = 200000 };  // turns of 5 ns
static bool fits;

__attribute__((constructor(101))) static void sleep_soon(void) {
  fits = !getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT");
  char turns[16];
  snprintf(turns, sizeof turns, "%d", short_wait);
  if (fits) setenv("GOMP_SPINCOUNT", turns, 0);
}

// A variable of the runtime. Its archive hides it from other libraries, but not from
// the program that it is linked into.
extern unsigned long long gomp_spin_count_var __attribute__((weak));

static int64_t nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// pacia_fit_waits makes waits short if the threads have had less than three quarters
// of the processors' time, because other programs then also compute. It checks this
// every 20 ms. It changes how threads wait, never the numbers that they compute.
void pacia_fit_waits(void) {
  static atomic_flag busy = ATOMIC_FLAG_INIT;
  static int64_t elapsed, used;
  if (!fits || !&gomp_spin_count_var || atomic_flag_test_and_set(&busy)) return;
  const int64_t now = nanoseconds(CLOCK_MONOTONIC), wall = now - elapsed;
  if (wall > 20000000) {
    const int64_t cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID), share = cpu - used;
    const bool ours = 4 * share >= 3 * wall * omp_get_max_threads();
    const bool paused = wall > 200000000;  // there was nothing to compute
    if (!paused) __atomic_store_n(&gomp_spin_count_var, ours ? long_wait : short_wait, __ATOMIC_RELAXED);
    elapsed = now;
    used = cpu;
  }
  atomic_flag_clear(&busy);
}

// The linker includes only those members of an archive that something refers to.
// Members that libtorch alone calls would come from libtorch's copy. The barrier of
// one runtime does not stop the threads of another, so results would sometimes be
// wrong. This table refers to a function of each such member and so includes it.
void GOMP_atomic_start(void);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_loop_end(void);
void GOMP_ordered_start(void);
void GOMP_sections_end(void);
void GOMP_single_start(void);

__attribute__((used)) static void (*const members[])(void) = {
    GOMP_atomic_start,  GOMP_barrier,      GOMP_critical_start, GOMP_loop_end,
    GOMP_ordered_start, GOMP_sections_end, GOMP_single_start,   (void (*)(void))omp_set_num_threads,
};
