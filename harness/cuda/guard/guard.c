// An allocator that detects wrong accesses to tensors, for tests without a GPU. It is preloaded
// and replaces posix_memalign, with which libtorch allocates the CPU's tensors. The emulator
// runs kernels on these (../emulator.hh).
//
//   - A protected page follows each tensor directly, or after the padding to a multiple of
//     GUARD_ALIGN bytes (4). With GUARD_BEFORE=1 the protected page precedes the tensor.
//   - A tensor is filled with NaN: all bits are 1, which is −1 or the largest number in integers.
//   - A freed tensor becomes protected, and its addresses are not reused.
//
// So an access beyond a tensor, or to a freed one, ends the process. A computation with memory
// that was never written yields NaN.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096ul
#define SPACE (1ul << 42)

static char *base;
static atomic_ulong used, uncounted, *tensors = &uncounted;
static size_t align_to = 4;
static int before;
static void (*real_free)(void *);
static void *(*real_realloc)(void *, size_t);

// count_in keeps the number of tensors in the first 8 bytes of the file GUARD_COUNT, because a
// Go program ends without running exit handlers. scripts/check-memory checks that it is not 0.
static void count_in(const char *file) {
  const int f = file != NULL ? open(file, O_RDWR | O_CREAT, 0666) : -1;
  if (f < 0 || ftruncate(f, sizeof *tensors) != 0) return;
  void *shared = mmap(NULL, sizeof *tensors, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
  if (shared != MAP_FAILED) tensors = shared;
  close(f);
}

__attribute__((constructor)) static void start(void) {
  count_in(getenv("GUARD_COUNT"));
  const char *text = getenv("GUARD_ALIGN");
  if (text != NULL) align_to = strtoul(text, NULL, 10);
  before = getenv("GUARD_BEFORE") != NULL;
  real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  char *space = mmap(NULL, SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) perror("guard");
  else base = space;
}

static int guarded(const void *p) {
  return base != NULL && (const char *)p >= base && (const char *)p < base + SPACE;
}

static int open_pages(char *at, size_t bytes) { return mprotect(at, bytes, PROT_READ | PROT_WRITE); }

// A block consists of a page that holds the number of the tensor's pages, a protected page,
// the tensor's pages, and another protected page.
int posix_memalign(void **out, size_t align, size_t size) {
  if (base == NULL) return (*out = aligned_alloc(align, (size + align - 1) / align * align)) ? 0 : ENOMEM;
  if (size > SPACE / 2) return ENOMEM; // reserves no addresses: a test asks for too much on purpose
  const size_t pages = size == 0 ? 1 : (size + PAGE - 1) / PAGE, all = (pages + 3) * PAGE;
  char *at = base + atomic_fetch_add(&used, all);
  if (at + all > base + SPACE || open_pages(at, PAGE) || open_pages(at + 2 * PAGE, pages * PAGE)) {
    perror("guard: no memory that can be guarded");
    return ENOMEM;
  }
  *(size_t *)at = pages;
  char *data = at + 2 * PAGE;
  memset(data, 0xff, pages * PAGE);
  if (!before) data += pages * PAGE - (size + align_to - 1) / align_to * align_to;
  *out = data;
  atomic_fetch_add(tensors, 1);
  return 0;
}

void free(void *p) {
  if (p == NULL) return;
  if (!guarded(p)) {
    if (real_free != NULL) real_free(p);
    return;
  }
  char *at = (char *)((uintptr_t)p & ~(PAGE - 1)) - 2 * PAGE;
  const size_t all = (*(size_t *)at + 3) * PAGE;
  madvise(at, all, MADV_DONTNEED);
  mprotect(at, all, PROT_NONE);
}

void *realloc(void *p, size_t n) {
  if (guarded(p)) {
    fputs("guard: realloc of a tensor\n", stderr);
    abort();
  }
  if (real_realloc == NULL) real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  return real_realloc(p, n);
}
