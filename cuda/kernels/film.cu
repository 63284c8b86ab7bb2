// Feature-wise linear modulation (Eq. 6): y = h·factor + shift, by segments of rows
// (ops/encoder/film.hh). Segments lie between offsets ptr [S+1]; if ptr is null, each has n
// rows. Rows after the last segment are padding: they become 0, and so do their gradients.
//
// Rows of w and b are stride apart. If b is null, it follows w in the same row.
//
// Legend: R rows, S segments, d width.

// film_vectors: factor and shift [S, d] from w and b; one warp for each vector.
KERNEL film_vectors(const real *w, const real *b, int stride, Film form, int S, int d, real *factor,
                    real *shift) {
  const int64_t k = warp_number(), s = k / 2;
  if (s >= S) return;
  const bool shifts = k % 2;
  const real *v = (!shifts ? w : b ? b : w + d) + s * stride;
  real *to = (shifts ? shift : factor) + s * d;
  real length = 1;
  if (form == Film::unit) {
    real sum = 0;
    for (int i = threadIdx.x % 32; i < d; i += 32) sum += v[i] * v[i];
    length = sqrt(warp_sum(sum));
    if (length < real(kLeastLength)) length = real(kLeastLength);
  }
  const real one = shifts || form == Film::scale ? real(0) : real(1);
  for (int i = threadIdx.x % 32; i < d; i += 32) to[i] = one + v[i] / length;
}

// film_vectors_back: the gradients of w and b, in the same layout, from those of factor and
// shift [S, d]. Other elements of a row are set to 0. One warp for each vector.
KERNEL film_vectors_back(const real *w, const real *b, int stride, Film form, int S, int d,
                         const real *dfactor, const real *dshift, real *dw, real *db) {
  const int64_t k = warp_number(), s = k / 2;
  if (s >= S) return;
  const bool shifts = k % 2;
  const int lane = threadIdx.x % 32;
  const real *v = (!shifts ? w : b ? b : w + d) + s * stride;
  const real *g = (shifts ? dshift : dfactor) + s * d;
  real *to = (!shifts ? dw : db ? db : dw + d) + s * stride;
  real length = 1, along = 0;
  if (form == Film::unit) {
    real squares = 0;
    for (int i = lane; i < d; i += 32) {
      squares += v[i] * v[i];
      along += v[i] * g[i];
    }
    length = sqrt(warp_sum(squares));
    along = warp_sum(along);
    if (length < real(kLeastLength)) {
      length = real(kLeastLength);
      along = 0;
    }
  }
  for (int i = lane; i < d; i += 32) to[i] = (g[i] - v[i] / length * (along / length)) / length;
  if (shifts && !b)
    for (int i = d + lane; i < stride - d; i += 32) to[i] = 0;
}

// film: y [R, d]; one block for each row.
KERNEL film(const real *h, const int32_t *ptr, int n, const real *factor, const real *shift,
            real *y, int S, int d) {
  const int r = blockIdx.x, s = ptr ? interval(ptr, S, r) : r / n;
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    const int64_t at = int64_t(r) * d + i, of = int64_t(s) * d + i;
    y[at] = s < S ? h[at] * factor[of] + shift[of] : real(0);
  }
}

// film_back: dh [R, d] and the gradients of factor and shift [S, d]; one block for each 32
// columns of a segment. With ptr, there is another row of blocks for the padding.
KERNEL film_back(const real *dy, const real *h, const int32_t *ptr, int n, const real *factor,
                 real *dh, real *dfactor, real *dshift, int R, int S, int d) {
  SHARED(double, part, [kLines][kTile]);
  const int line = threadIdx.x / kTile, column = blockIdx.x * kTile + threadIdx.x % kTile;
  const int s = blockIdx.y, first = ptr ? ptr[s] : s * n;
  const int last = s == S ? R : ptr ? ptr[s + 1] : first + n;
  const int64_t of = int64_t(s) * d + column;
  Sum sum = {0, 0, 0}, dot = {0, 0, 0};
  if (column < d) {
    const real f = s < S ? factor[of] : real(0);
    for (int r = first + line; r < last; r += kLines) {
      const int64_t at = int64_t(r) * d + column;
      dh[at] = s < S ? dy[at] * f : real(0);
      sum.add(dy[at]);
      dot.add(dy[at] * h[at]);
    }
  }
  const double total = lines_sum(sum.value(), part), product = lines_sum(dot.value(), part);
  if (line > 0 || column >= d || s == S) return;
  dshift[of] = real(total);
  dfactor[of] = real(product);
}
