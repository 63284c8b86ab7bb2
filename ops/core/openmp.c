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

// Of an archive the linker takes the members that something refers to. Those
// that libtorch alone calls would come from libtorch's copy, and the barrier of
// one runtime lets the threads of another pass: results are wrong at times. So
// this names a function of each such member; all of them are in the program.
void GOMP_atomic_start(void);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_loop_end(void);
void GOMP_ordered_start(void);
void GOMP_sections_end(void);
void GOMP_single_start(void);
void omp_set_num_threads(int);

__attribute__((used)) static void (*const members[])(void) = {
    GOMP_atomic_start,  GOMP_barrier,      GOMP_critical_start, GOMP_loop_end,
    GOMP_ordered_start, GOMP_sections_end, GOMP_single_start,   (void (*)(void))omp_set_num_threads,
};
