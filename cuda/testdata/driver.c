// A stand-in for libcuda.so.1 with two devices, an RTX 3090 and an A100. It runs
// nothing. It writes a line for each call to the file PACIA_FAKE_LOG. A launch of
// 13 threads fails with the error of an illegal access.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *contexts[2] = {"context of GPU 0", "context of GPU 1"};
static __thread void *current;
static char functions[1000][64];
static int used;
static unsigned flags[2];

static void say(const char *format, const void *a, const void *b) {
  FILE *f = fopen(getenv("PACIA_FAKE_LOG"), "a");
  fprintf(f, format, a, b);
  fclose(f);
}

int cuInit(unsigned flags) {
  const char *loading = getenv("CUDA_MODULE_LOADING");
  say("modules are loaded %s%s\n", loading ? loading : "EAGER", "");
  return flags;
}
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorName(int error, const char **text) {
  if (error == 1) return *text = "CUDA_ERROR_INVALID_VALUE", 0;
  return *text = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : NULL, 0;
}
int cuGetErrorString(int error, const char **text) {
  return *text = error == 700 ? "an illegal memory access was encountered" : NULL, 0;
}
int cuDeviceGetCount(int *n) { return *n = 2, 0; }
int cuDeviceGet(int *device, int i) { return i < 0 || i > 1 ? 1 : (*device = 10 + i, 0); }
int cuDeviceGetName(char *name, int size, int device) {
  return strncpy(name, device == 10 ? "RTX 3090" : "A100", size), 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const int capability = device == 10 ? 86 : 80;
  *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : -1;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = device * 1000000000ul, 0; }
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned value) {
  return flags[device - 10] = value, 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  if (flags[device - 10] != 4) return 1;  // threads that wait would not sleep
  return *context = contexts[device - 10], 0;
}
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuCtxSetCurrent(void *context) { return current = context, 0; }
int cuModuleLoadData(void **module, const void *image) {
  // Machine code is an ELF file.
  const char *what = memcmp(image, "\177ELF", 4) == 0 ? "machine code" : "something else";
  say("load %s: %s\n", current, what);
  return *module = current, 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  snprintf(functions[used], sizeof functions[used], "%s, %s", name, (char *)module);
  return *function = functions[used++], 0;
}
int cuLaunchKernel(void *function, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                   unsigned tz, unsigned shared, void *stream, void **arguments, void **extra) {
  char grid[200];
  if (tx == 13) return 700;
  snprintf(grid, sizeof grid,
           "%u %u %u blocks of %u %u %u, shared %u, stream %p, extra %p, first %d, in the %s", bx, by,
           bz, tx, ty, tz, shared, stream, (void *)extra, *(int *)arguments[0],
           current ? (char *)current : "wrong context");
  say("%s: %s\n", function, grid);
  return 0;
}
