// Batch normalisation of groups of rows, and the ReLU and the dropout that follow
// (ops/include/layers/norm.hh). Group g has rows ptr[g]..ptr[g+1]. Rows after the last group are
// padding: they become 0, and so do their gradients.
//
// Legend: A rows, G groups, d width.

// norm_statistics: mean and 1/√(variance + ε) [G, d], and the variance; one block for each 32
// columns of a group. A group without rows gets zeros.
KERNEL norm_statistics(const real *z, const int32_t *ptr, real *mean, real *rstd, double *variance,
                       int d, double epsilon) {
  SHARED(double, part, [kLines][kTile]);
  const int line = threadIdx.x / kTile, column = blockIdx.x * kTile + threadIdx.x % kTile;
  const int g = blockIdx.y, first = ptr[g], last = ptr[g + 1], n = last - first;
  Sum sum = {0, 0, 0}, squares = {0, 0, 0};
  if (column < d)
    for (int r = first + line; r < last; r += kLines) sum.add(z[int64_t(r) * d + column]);
  const real m = real(n ? lines_sum(sum.value(), part) / n : 0);
  if (column < d)
    for (int r = first + line; r < last; r += kLines) {
      const real x = z[int64_t(r) * d + column] - m;
      squares.add(x * x);
    }
  const double v = n ? lines_sum(squares.value(), part) / n : 0;
  if (line > 0 || column >= d) return;
  const int64_t at = int64_t(g) * d + column;
  mean[at] = m;
  variance[at] = v;
  rstd[at] = n ? real(1 / sqrt(v + epsilon)) : real(0);
}

// norm_running updates the running averages [d] by one group after the other; one thread for
// each column.
KERNEL norm_running(const int32_t *ptr, const real *mean, const double *variance, real *average,
                    real *spread, int G, int d, double momentum) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= d) return;
  real a = average[column], s = spread[column];
  for (int g = 0; g < G; g++) {
    const double n = ptr[g + 1] - ptr[g], unbiased = n > 1 ? n / (n - 1) : 1;
    if (n == 0) continue;
    a = real((1 - momentum) * a + momentum * mean[int64_t(g) * d + column]);
    s = real((1 - momentum) * s + momentum * unbiased * variance[int64_t(g) * d + column]);
  }
  average[column] = a;
  spread[column] = s;
}

// norm_forward: y [A, d]; one block for each row. The statistics of group g are at g·stride;
// with a stride of 0, all groups share them.
KERNEL norm_forward(const real *z, const int32_t *ptr, const real *mean, const real *rstd,
                    const real *gamma, const real *beta, real *y, int G, int d, int stride,
                    int relu, Mask mask, real scale) {
  const int r = blockIdx.x, g = interval(ptr, G, r);
  const uint64_t key = mask_key(mask);
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    const int64_t at = int64_t(r) * d + i, s = int64_t(g) * stride + i;
    real v = 0;
    if (g < G && kept(mask, key, at)) {
      v = ((z[at] - mean[s]) * rstd[s] * gamma[i] + beta[i]) * scale;
      if (relu && v <= 0) v = 0;
    }
    y[at] = v;
  }
}

// norm_slope returns the gradient of an element of x̂γ + β, through ReLU and dropout.
DEVICE real norm_slope(real dy, real x, real gamma, real beta, int relu, real scale) {
  return relu && x * gamma + beta <= 0 ? real(0) : dy * scale;
}

// norm_back_sums: for each group, the sums of the gradient g of x̂γ + β and of g·x̂, and their
// means. The means are zeros if the statistics are not the group's own. One block for each 32
// columns of a group.
KERNEL norm_back_sums(const real *dy, const real *z, const int32_t *ptr, const real *mean,
                      const real *rstd, const real *gamma, const real *beta, double *sums,
                      double *dots, real *mean_g, real *mean_gx, int d, int stride, int relu, int own,
                      Mask mask, real scale) {
  SHARED(double, part, [kLines][kTile]);
  const int line = threadIdx.x / kTile, column = blockIdx.x * kTile + threadIdx.x % kTile;
  const int group = blockIdx.y, last = ptr[group + 1];
  const uint64_t key = mask_key(mask);
  Sum sum = {0, 0, 0}, dot = {0, 0, 0};
  if (column < d) {
    const int64_t s = int64_t(group) * stride + column;
    for (int r = ptr[group] + line; r < last; r += kLines) {
      const int64_t at = int64_t(r) * d + column;
      if (!kept(mask, key, at)) continue;
      const real x = (z[at] - mean[s]) * rstd[s];
      const real g = norm_slope(dy[at], x, gamma[column], beta[column], relu, scale);
      sum.add(g);
      dot.add(g * x);
    }
  }
  const double total = lines_sum(sum.value(), part), product = lines_sum(dot.value(), part);
  if (line > 0 || column >= d) return;
  const int64_t to = int64_t(group) * d + column;
  const double share = own && last > ptr[group] ? 1.0 / (last - ptr[group]) : 0;
  sums[to] = total;
  dots[to] = product;
  mean_g[to] = real(total * share);
  mean_gx[to] = real(product * share);
}

// norm_back_groups: the gradients of γ and β [d], which are the sums of dots and of sums over
// all groups; one thread for each column.
KERNEL norm_back_groups(const double *sums, const double *dots, int G, int d, real *dgamma,
                        real *dbeta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= d) return;
  double sum = 0, dot = 0;
  for (int g = 0; g < G; g++) {
    sum += sums[int64_t(g) * d + column];
    dot += dots[int64_t(g) * d + column];
  }
  dbeta[column] = real(sum);
  dgamma[column] = real(dot);
}

// norm_back: dz = γ·rstd·(g − mean(g) − x̂·mean(g·x̂)); one block for each row. It avoids
// double, which most GPUs compute at 1/64 of the speed.
KERNEL norm_back(const real *dy, const real *z, const int32_t *ptr, const real *mean,
                 const real *rstd, const real *gamma, const real *beta, const real *mean_g,
                 const real *mean_gx, real *dz, int G, int d, int stride, int relu, Mask mask,
                 real scale) {
  const int r = blockIdx.x, group = interval(ptr, G, r);
  const uint64_t key = mask_key(mask);
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    const int64_t at = int64_t(r) * d + i;
    real v = 0;
    if (group < G) {
      const int64_t s = int64_t(group) * stride + i, t = int64_t(group) * d + i;
      const real x = (z[at] - mean[s]) * rstd[s];
      const real g =
          kept(mask, key, at) ? norm_slope(dy[at], x, gamma[i], beta[i], relu, scale) : real(0);
      v = (g - (mean_g[t] + mean_gx[t] * x)) * gamma[i] * rstd[s];
    }
    dz[at] = v;
  }
}
