// Dropout with the masks of ops/include/layers/dropout.hh: the same elements are kept on a
// GPU as on the CPU.

DEVICE uint64_t mask_key(const Mask &m) { return (m.where ? *m.where : m.key) + m.add; }

// kept reports whether element i of a tensor is kept.
DEVICE bool kept(const Mask &m, uint64_t key, int64_t i) {
  return mask_hash(uint32_t(i), uint32_t(key), uint32_t(key >> 32)) >= m.threshold;
}

// dropout: y = x·scale where kept, 0 elsewhere, for n elements; one thread for each element.
KERNEL dropout(const real *x, real *y, int64_t n, Mask mask, real scale) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = kept(mask, mask_key(mask), i) ? x[i] * scale : real(0);
}
