// A step frees and allocates the same large tensors again and again. By default glibc
// returns blocks above 128 kB to the kernel at once, which then clears every page of the
// next block. That takes an eighth of a step's time. So blocks up to 32 MB, the maximum
// of glibc, stay with the program.
//
// They stay in the arena of the thread that allocated them, and a goroutine changes its
// thread whenever it waits. So the number of arenas is limited to that of the processors.
// By default it is eight times as large. Ranking a library takes a fifth less memory.
#include <malloc.h>
#include <unistd.h>

#ifdef __GLIBC__
__attribute__((constructor)) static void keep_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  mallopt(M_ARENA_MAX, processors > 2 ? (int)processors : 2);
}
#endif
