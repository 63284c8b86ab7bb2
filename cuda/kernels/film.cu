// Feature-wise linear modulation (Eq. 5): y = h·factor + shift, by segments of
// rows (ops/film.hh). Rows after the last segment are padding and become 0.
//
// Legend: R rows, S segments, d width.

// film: y [R, d]; a block a row.
KERNEL film(const real *h, const int32_t *ptr, const real *factor, const real *shift, real *y,
            int S, int d) {
  const int r = blockIdx.x, s = interval(ptr, S, r);
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    const int64_t at = int64_t(r) * d + i, of = int64_t(s) * d + i;
    y[at] = s < S ? h[at] * factor[of] + shift[of] : real(0);
  }
}

// film_back: dh, of the rows of segments, and the gradients of factor and shift
// [S, d]; a block for 32 columns of a segment.
KERNEL film_back(const real *dy, const real *h, const int32_t *ptr, const real *factor, real *dh,
                 real *dfactor, real *dshift, int d) {
  __shared__ double part[kLines][kTile];
  const int line = threadIdx.x / kTile, column = blockIdx.x * kTile + threadIdx.x % kTile;
  const int s = blockIdx.y, last = ptr[s + 1];
  const int64_t of = int64_t(s) * d + column;
  Sum sum = {0, 0, 0}, dot = {0, 0, 0};
  if (column < d) {
    const real f = factor[of];
    for (int r = ptr[s] + line; r < last; r += kLines) {
      const int64_t at = int64_t(r) * d + column;
      dh[at] = dy[at] * f;
      sum.add(dy[at]);
      dot.add(dy[at] * h[at]);
    }
  }
  const double total = lines_sum(sum.value(), part), product = lines_sum(dot.value(), part);
  if (line > 0 || column >= d) return;
  dshift[of] = real(total);
  dfactor[of] = real(product);
}
