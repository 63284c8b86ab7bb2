// libcublasLt: products with a bias, which libtorch uses if they are available.
#include <cstdint>
#include <cstring>

#include "report.hh"
#include "world.hh"

namespace {

using standin::Kind;

enum { kSuccess = 0, kInvalidValue = 7 };
enum { kBiasPointer = 8 };  // a value of cublasLtMatmulDescAttributes_t

struct Product {
  const void *bias = nullptr;
};

// Layout is a matrix in column-major order, with columns that are ld elements apart.
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t ld;

  size_t bytes() const {
    const size_t element = type == 1 ? 8 : type == 0 ? 4 : 2;
    return rows == 0 || columns == 0 ? 0 : (static_cast<size_t>(ld) * (columns - 1) + rows) * element;
  }
};

// Result is cublasLtMatmulHeuristicResult_t.
struct Result {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

}  // namespace

extern "C" {

int cublasLtMatmulDescCreate(Product **d, int, int) { return *d = new Product, kSuccess; }
int cublasLtMatmulDescDestroy(Product *d) { return delete d, kSuccess; }
int cublasLtMatmulDescSetAttribute(Product *d, int attribute, const void *value, size_t n) {
  if (attribute == kBiasPointer && n == sizeof d->bias) std::memcpy(&d->bias, value, n);
  return kSuccess;
}
int cublasLtMatrixLayoutCreate(Layout **l, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  return *l = new Layout{type, rows, columns, ld}, kSuccess;
}
int cublasLtMatrixLayoutDestroy(Layout *l) { return delete l, kSuccess; }
int cublasLtMatmulPreferenceCreate(char **p) { return *p = new char, kSuccess; }
int cublasLtMatmulPreferenceDestroy(char *p) { return delete p, kSuccess; }
int cublasLtMatmulPreferenceSetAttribute(char *, int, const void *, size_t) { return kSuccess; }

int cublasLtMatmulAlgoGetHeuristic(void *, Product *, Layout *, Layout *, Layout *, Layout *, char *, int, Result *r, int *n) {
  *r = {};
  return *n = 1, kSuccess;
}

int cublasLtMatmul(void *, Product *product, const void *, const void *a, Layout *la, const void *b, Layout *lb, const void *,
                   const void *c, Layout *lc, void *d, Layout *ld, const void *, void *workspace, size_t bytes, void *stream) {
  auto &w = standin::World::get();
  const standin::Locked mine(w.lock);
  w.called("cublasLtMatmul");
  standin::Stream *s = w.stream("cublasLtMatmul", stream);
  if (s == nullptr) return kInvalidValue;
  std::vector<standin::Touch> touches{{a, la->bytes(), Kind::device}, {b, lb->bytes(), Kind::device}, {c, lc->bytes(), Kind::device},
                                      {d, ld->bytes(), Kind::device}, {workspace, workspace ? bytes : 0, Kind::device}};
  if (product->bias != nullptr) touches.push_back({product->bias, ld->rows * 4, Kind::device});
  return w.submit(s, {"cublasLtMatmul", touches, nullptr}) ? kSuccess : kInvalidValue;
}

}  // extern "C"
