// The steps between the products of linear layers.
//
// Legend: R rows, d width of a layer's output.

// after_linear computes the output y of a layer from z = W x [R, d]: it adds b, applies
// LeakyReLU, adds the layer's input x, and applies the dropout. b and x may be null, and y may
// be z. Otherwise z gets the values before x is added. One warp for each row.
KERNEL after_linear(real *z, const real *b, int64_t R, int d, bool leaks, const real *x, real *y,
                    Mask mask, real scale) {
  const int64_t r = warp_number();
  if (r >= R) return;
  const uint64_t key = mask.threshold ? mask_key(mask) : 0;
  for (int c = threadIdx.x % 32; c < d; c += 32) {
    const int64_t i = r * d + c;
    real v = z[i];
    if (b) v += b[c];
    if (leaks) v = leaky_of(v);
    if (y != z) z[i] = v;
    if (x) v += x[i];
    if (mask.threshold) v = kept(mask, key, i) ? v * scale : real(0);
    y[i] = v;
  }
}

// after_linear_back: from the gradient g of n elements of y, the gradient of the sum with x,
// unless masked is null, and that of z. like has the signs of z; it is null without LeakyReLU.
// dz may be g. One thread for each element.
KERNEL after_linear_back(const real *g, const real *like, int64_t n, real *masked, real *dz,
                         Mask mask, real scale) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real v = g[i];
  if (mask.threshold) v = kept(mask, mask_key(mask), i) ? v * scale : real(0);
  if (masked) masked[i] = v;
  dz[i] = like ? v * leaky_slope(like[i]) : v;
}

// linear_back does the same for layers with a bias, and for ReLU or LeakyReLU with the given
// slope below 0. It also sums up dz [R, d] over kRowChunk rows each: part [chunks, d]. dz may
// be g, or null if only the sums are needed. A block of kSumLines rows of threads processes 32
// columns of a chunk.
KERNEL linear_back(const real *g, const real *like, real slope, int R, int d, real *masked,
                   real *dz, real *part, Mask mask, real scale) {
  SHARED(real, sums, [kSumLines][kTile]);
  const int x = threadIdx.x % kTile, line = threadIdx.x / kTile;
  const int column = blockIdx.x * kTile + x, first = blockIdx.y * kRowChunk;
  const int last = first + kRowChunk < R ? first + kRowChunk : R;
  const uint64_t key = mask.threshold ? mask_key(mask) : 0;
  real sum = 0;
  for (int r = first + line; r < last && column < d; r += kSumLines) {
    const int64_t i = int64_t(r) * d + column;
    real v = g[i];
    if (mask.threshold) v = kept(mask, key, i) ? v * scale : real(0);
    if (masked) masked[i] = v;
    if (like && !(like[i] > 0)) v *= slope;
    if (dz) dz[i] = v;
    sum += v;
  }
  sums[line][x] = sum;
  __syncthreads();
  if (line > 0 || column >= d) return;
  for (int l = 1; l < kSumLines; l++) sum += sums[l][x];
  part[int64_t(blockIdx.y) * d + column] = sum;
}
