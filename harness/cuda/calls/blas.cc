// libcublas: the products that libtorch calls. values.cc computes them. This file checks
// their arguments: matrices and workspaces must be in the device's memory, and a handle
// must exist.
#include "report.hh"
#include "world.hh"

namespace {

using standin::Kind;
using standin::Touch;
using standin::World;

enum Status { kSuccess = 0, kInvalidValue = 7 };

struct Handle {
  standin::Stream *stream;
  void *workspace = nullptr;
  size_t bytes = 0;
  int math = 0, pointers = 0;
};

std::set<Handle *> &handles() {
  static auto &all = *new std::set<Handle *>;
  return all;
}

int refuse(const std::string &what) {
  standin::wrong(what);
  return kInvalidValue;
}

// size_of returns the bytes of an element of a cudaDataType_t that libtorch uses, or 0 for
// other types.
size_t size_of(int type) {
  if (type == 0) return 4;               // CUDA_R_32F
  if (type == 1) return 8;               // CUDA_R_64F
  return type == 2 || type == 14 ? 2 : 0;  // CUDA_R_16F, CUDA_R_16BF
}

// Matrix is a matrix in column-major order. Its columns are ld elements apart. A batch has n
// matrices, which are stride elements apart.
struct Matrix {
  const void *at;
  int rows, columns, ld;
  long long stride;
  size_t element;

  size_t bytes(int n) const {
    if (rows == 0 || columns == 0 || n == 0) return 0;
    const auto last = static_cast<size_t>(stride) * static_cast<size_t>(n - 1) + static_cast<size_t>(ld) * static_cast<size_t>(columns - 1);
    return (last + static_cast<size_t>(rows)) * element;
  }
};

int products(const char *call, Handle *h, int batch, const Matrix &a, const Matrix &b, const Matrix &c) {
  World &w = World::get();
  const standin::Locked mine(w.lock);
  w.called(call);
  if (handles().count(h) == 0) return refuse(std::string(call) + ": there is no such handle");
  for (const Matrix &m : {a, b, c}) {
    if (m.element == 0) return refuse(std::string(call) + ": a type that the stand-in does not support");
    if (m.ld < std::max(1, m.rows)) return refuse(std::string(call) + ": columns of " + std::to_string(m.rows) + " that are " + std::to_string(m.ld) + " apart");
  }
  // Without a workspace from the caller, cuBLAS allocates its own, which a graph would not keep.
  if (h->stream->capture && h->workspace == nullptr) return refuse(std::string(call) + " is captured with a handle that has no workspace");
  std::vector<Touch> touches;
  for (const Matrix &m : {a, b, c}) touches.push_back({m.at, m.bytes(batch), Kind::device});
  if (h->workspace != nullptr) touches.push_back({h->workspace, h->bytes, Kind::device});
  return w.submit(h->stream, {call, touches, nullptr}) ? kSuccess : kInvalidValue;
}

// stored returns the matrix as it is stored. A transposed matrix is stored with
// rows and columns exchanged.
Matrix stored(int transposed, int rows, int columns, const void *at, int ld, long long stride, size_t element) {
  return transposed ? Matrix{at, columns, rows, ld, stride, element} : Matrix{at, rows, columns, ld, stride, element};
}

}  // namespace

extern "C" {

int cublasCreate_v2(Handle **h) {
  World &w = World::get();
  const standin::Locked mine(w.lock);
  w.called("cublasCreate_v2");
  if (!w.captures.empty()) return refuse("a handle of cuBLAS is made, with memory of its own, while a stream is captured");
  handles().insert(*h = new Handle{w.legacy});
  return kSuccess;
}
int cublasDestroy_v2(Handle *h) {
  const standin::Locked mine(World::get().lock);
  if (handles().erase(h) == 0) return refuse("cublasDestroy: there is no such handle");
  delete h;
  return kSuccess;
}
int cublasSetStream_v2(Handle *h, void *stream) {
  World &w = World::get();
  const standin::Locked mine(w.lock);
  h->stream = w.stream("cublasSetStream", stream);
  h->workspace = nullptr;  // as cuBLAS does
  return h->stream ? kSuccess : kInvalidValue;
}
int cublasSetWorkspace_v2(Handle *h, void *p, size_t n) {
  World &w = World::get();
  const standin::Locked mine(w.lock);
  if (!w.check("cublasSetWorkspace", {{p, n, Kind::device}})) return kInvalidValue;
  h->workspace = p;
  h->bytes = n;
  return kSuccess;
}
int cublasSetMathMode(Handle *h, int mode) { return h->math = mode, kSuccess; }
int cublasGetMathMode(Handle *h, int *mode) { return *mode = h->math, kSuccess; }
int cublasSetPointerMode_v2(Handle *h, int mode) { return h->pointers = mode, kSuccess; }
int cublasGetPointerMode_v2(Handle *h, int *mode) { return *mode = h->pointers, kSuccess; }

#define GEMM(name, real)                                                                                                       \
  int name(Handle *h, int ta, int tb, int m, int n, int k, const real *, const real *a, int lda, const real *b, int ldb,       \
           const real *, real *c, int ldc) {                                                                                   \
    return products(#name, h, 1, stored(ta, m, k, a, lda, 0, sizeof *a), stored(tb, k, n, b, ldb, 0, sizeof *b),               \
                    {c, m, n, ldc, 0, sizeof *c});                                                                             \
  }
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)

#define GEMM_BATCHED(name, real)                                                                                               \
  int name(Handle *h, int ta, int tb, int m, int n, int k, const real *, const real *a, int lda, long long sa, const real *b,  \
           int ldb, long long sb, const real *, real *c, int ldc, long long sc, int batch) {                                   \
    return products(#name, h, batch, stored(ta, m, k, a, lda, sa, sizeof *a), stored(tb, k, n, b, ldb, sb, sizeof *b),         \
                    {c, m, n, ldc, sc, sizeof *c});                                                                            \
  }
GEMM_BATCHED(cublasSgemmStridedBatched, float)
GEMM_BATCHED(cublasDgemmStridedBatched, double)

#define GEMV(name, real)                                                                                                       \
  int name(Handle *h, int t, int m, int n, const real *, const real *a, int lda, const real *x, int dx, const real *, real *y, \
           int dy) {                                                                                                           \
    return products(#name, h, 1, {a, m, n, lda, 0, sizeof *a}, {x, 1, t ? m : n, dx, 0, sizeof *x},                            \
                    {y, 1, t ? n : m, dy, 0, sizeof *y});                                                                      \
  }
GEMV(cublasSgemv_v2, float)
GEMV(cublasDgemv_v2, double)

#define DOT(name, real)                                                                                                        \
  int name(Handle *h, int n, const real *x, int dx, const real *y, int dy, real *out) {                                        \
    return products(#name, h, 1, {x, 1, n, dx, 0, sizeof *x}, {y, 1, n, dy, 0, sizeof *y}, {out, 1, 1, 1, 0, sizeof *out});    \
  }
DOT(cublasSdot_v2, float)
DOT(cublasDdot_v2, double)

int cublasGemmEx(Handle *h, int ta, int tb, int m, int n, int k, const void *, const void *a, int type_a, int lda, const void *b,
                 int type_b, int ldb, const void *, void *c, int type_c, int ldc, int, int) {
  return products("cublasGemmEx", h, 1, stored(ta, m, k, a, lda, 0, size_of(type_a)), stored(tb, k, n, b, ldb, 0, size_of(type_b)),
                  {c, m, n, ldc, 0, size_of(type_c)});
}

}  // extern "C"
