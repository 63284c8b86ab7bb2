// A step frees and asks for the same large tensors again and again. By default glibc
// hands blocks above 128 kB back to the kernel at once, which then clears every page
// anew: an eighth of a step's time. Blocks up to 32 MB, the largest that glibc lets be
// kept, stay with the program instead.
//
// They stay with the arena of the thread that asked, and a goroutine changes its thread
// whenever it waits. So the number of arenas is limited to that of the processors, in
// place of eight times as many: a library's ranking takes a fifth less memory.
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
