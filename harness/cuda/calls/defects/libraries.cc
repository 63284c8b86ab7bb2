// Defects that break the rules of cuBLAS, cuBLASLt and the driver.
#include <cuda_runtime_api.h>
#include <elf.h>

#include <cstdint>
#include <cstring>

#include "../../../../cuda/kernels.hh"
#include "../kernel.hh"
#include "defects.hh"

extern "C" {
int cublasCreate_v2(void **);
int cublasDestroy_v2(void *);
int cublasSetStream_v2(void *, void *);
int cublasSetWorkspace_v2(void *, void *, size_t);
int cublasSgemm_v2(void *, int, int, int, int, int, const float *, const float *, int, const float *, int, const float *, float *, int);
int cublasGemmEx(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int, const void *, void *, int,
                 int, int, int);
int cublasLtMatmulDescCreate(void **, int, int);
int cublasLtMatmulDescSetAttribute(void *, int, const void *, size_t);
int cublasLtMatrixLayoutCreate(void **, int, uint64_t, uint64_t, int64_t);
int cublasLtMatmul(void *, void *, const void *, const void *, void *, const void *, void *, const void *, const void *, void *,
                   void *, void *, const void *, void *, size_t, void *);
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(const void **, int);
int cuCtxSetCurrent(const void *);
int cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
}

namespace {

using defects::seen;

// Products multiply two matrices with 8 rows and 8 columns.
constexpr int kSide = 8;
constexpr size_t kMatrix = kSide * kSide * sizeof(float);

float *device(size_t n = kMatrix) {
  void *p = nullptr;
  cudaMalloc(&p, n);
  return static_cast<float *>(p);
}
cudaStream_t captured() {
  cudaStream_t s = nullptr;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  return s;
}
void *handle() {
  void *h = nullptr;
  cublasCreate_v2(&h);
  return h;
}
void product(void *h, const float *a, float *c, int apart = kSide) {
  const float one = 1, zero = 0;
  cublasSgemm_v2(h, 0, 0, kSide, kSide, kSide, &one, a, apart, device(), kSide, &zero, c, kSide);
}

// add_product computes a product with a bias of n bytes.
void add_product(size_t n) {
  void *d = nullptr, *l = nullptr;
  const void *bias = device(n);
  cublasLtMatmulDescCreate(&d, 0, 0);
  cublasLtMatmulDescSetAttribute(d, 8, &bias, sizeof bias);
  cublasLtMatrixLayoutCreate(&l, 0, kSide, kSide, kSide);
  cublasLtMatmul(nullptr, d, nullptr, device(), l, device(), l, nullptr, device(), l, device(), l, nullptr, nullptr, 0, nullptr);
}

struct Named {
  std::string name;
  size_t bytes;
};
std::vector<Named> kernels() {
  return {
#define PACIA_KERNEL(name) {#name, standin::kernel(#name, pacia::f32::name).bytes},
#include "names.inc"
#undef PACIA_KERNEL
  };
}

// image returns GPU code whose kernels have the names and the numbers of argument bytes in kernels.
std::string image(const std::vector<Named> &kernels) {
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> sections(1);
  for (const Named &k : kernels) {
    Elf64_Shdr s{};
    s.sh_name = static_cast<Elf64_Word>(names.size());
    s.sh_size = 0x160 + k.bytes;
    sections.push_back(s);
    names += ".nv.constant0." + k.name + '\0';
  }
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_shoff = sizeof head;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = static_cast<Elf64_Half>(sections.size());
  sections[0].sh_offset = sizeof head + sections.size() * sizeof(Elf64_Shdr);
  return std::string(reinterpret_cast<const char *>(&head), sizeof head) +
         std::string(reinterpret_cast<const char *>(sections.data()), sections.size() * sizeof(Elf64_Shdr)) + names;
}

void *module_of(const std::vector<Named> &all) {
  void *m = nullptr;
  const void *context = nullptr;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cuModuleLoadData(&m, image(all).c_str());
  return m;
}

// start launches the first kernel on a grid with the given number of rows of
// blocks, without arguments.
void start(unsigned rows, bool in_context) {
  void *f = nullptr;
  cuModuleGetFunction(&f, module_of(kernels()), kernels().front().name.c_str());
  if (!in_context) cuCtxSetCurrent(nullptr);
  cuLaunchKernel(f, 1, rows, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
}

}  // namespace

int main(int n, char **arguments) {
  using namespace defects;
  return check(n, arguments, {
      {"a product", [] { product(handle(), device(), device()); }, kNone},
      {"a product with an unknown handle", [] { product(nullptr, device(), device()); }, "there is no such handle"},
      {"a handle destroyed twice",
       [] { void *h = handle(); cublasDestroy_v2(h); cublasDestroy_v2(h); },
       "cublasDestroy: there is no such handle"},
      {"a handle made in a capture", [] { captured(); handle(); }, "a handle of cuBLAS is made"},
      {"a product captured without a workspace",
       [] { float *p = device(); void *h = handle(); cublasSetStream_v2(h, captured()); product(h, p, p); },
       "has no workspace"},
      {"a workspace that was freed",
       [] {
         void *h = handle(), *p = device();
         cublasSetWorkspace_v2(h, p, kMatrix);
         cudaFree(p);
         product(h, device(), device());
       },
       "memory that was freed"},
      {"a workspace of the host", [] { static char p[8]; cublasSetWorkspace_v2(handle(), p, 8); }, "cublasSetWorkspace: 8 bytes"},
      {"columns closer than they are long", [] { product(handle(), device(), device(), kSide - 1); }, "columns of 8 that are 7 apart"},
      {"a matrix beyond its memory", [] { product(handle(), device(), device(kMatrix - 4)); }, "ends 4 bytes after its block"},
      {"a matrix of the host", [] { static float p[kSide * kSide]; product(handle(), p, device()); }, "is memory of the host"},
      {"a matrix of an unknown type",
       [] {
         cublasGemmEx(handle(), 0, 0, 1, 1, 1, nullptr, device(), 99, 1, device(), 99, 1, nullptr, device(), 99, 1, 0, 0);
       },
       "a type that the stand-in does not support"},
      {"a product with a bias", [] { add_product(kSide * sizeof(float)); }, kNone},
      {"a bias too short", [] { add_product(kSide * sizeof(float) - 4); }, "ends 4 bytes after its block"},

      {"the kernels' code", [] { seen(module_of(kernels()) == nullptr); }, kNone},
      {"text in place of code", [] { void *m; cuModuleLoadData(&m, "no code"); }, "not an ELF file"},
      {"code without a kernel",
       [] { auto all = kernels(); all.pop_back(); module_of(all); },
       "the code does not fit the kernels: no kernel"},
      {"a kernel with another argument", [] { auto all = kernels(); all[0].bytes += 8; module_of(all); }, "bytes, in C++"},
      {"a kernel that is not there",
       [] { void *f; cuModuleGetFunction(&f, module_of(kernels()), "nothing"); },
       "there is no kernel nothing"},
      {"a kernel started outside the context", [] { start(1, false); }, "by a thread without a context"},
      {"a kernel on 70,000 rows of blocks", [] { start(70000, true); }, "a grid that the device does not allow"},
  });
}
