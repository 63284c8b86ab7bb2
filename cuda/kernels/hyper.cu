// What hypernetworks and the classifier make of the support's labels (Eqs. 9, 11
// and 16). Labels [B·N] are of the tasks' molecules; task [Q] says which of them
// set s is of, by entry s mod Q, or null: set s is task s. A set has n rows, its N
// support molecules first; n = N, or N+1, then the last row is a query.
//
// Legend: R sets, N support molecules of a set, d width.

DEVICE const uint8_t *labels_of(const uint8_t *labels, const int32_t *task, int Q, int64_t s,
                                int N) {
  return labels + int64_t(task ? task[s % Q] : s) * N;
}

// join_labels: x [R·N, d+2] is the support of h [R·n, d], each row joined with
// [1 0] for an inactive and [0 1] for an active molecule; query [R, d], or null,
// are the last rows of the sets. A block a row of h.
KERNEL join_labels(const real *h, const uint8_t *labels, const int32_t *task, int Q, int N, int n,
                   int d, real *x, real *query) {
  const int64_t r = blockIdx.x, s = r / n;
  const int i = int(r % n);
  if (i == N && !query) return;
  real *to = i == N ? query + s * d : x + (s * N + i) * (d + 2);
  for (int k = threadIdx.x; k < d; k += blockDim.x) to[k] = h[r * d + k];
  if (i < N && threadIdx.x < 2)
    to[d + threadIdx.x] = (labels_of(labels, task, Q, s, N)[i] != 0) == (threadIdx.x == 1);
}

// join_labels_back: dh [R·n, d], from dx [R·N, d+2] and dquery [R, d] or null; a
// block a row of h.
KERNEL join_labels_back(const real *dx, const real *dquery, int N, int n, int d, real *dh) {
  const int64_t r = blockIdx.x, s = r / n;
  const int i = int(r % n);
  const real *from = i < N ? dx + (s * N + i) * (d + 2) : dquery ? dquery + s * d : nullptr;
  for (int k = threadIdx.x; k < d; k += blockDim.x) dh[r * d + k] = from ? from[k] : real(0);
}

// class_means: of the support of x [R·n, d] the means over the inactive and over
// the active molecules, those of set s at mean + s·set and class·apart further; the
// reciprocals of how many they are, share [R, 2]; query as above. A block a set.
KERNEL class_means(const real *x, const uint8_t *labels, const int32_t *task, int Q, int N, int n,
                   int d, int64_t set, int64_t apart, real *mean, real *share, real *query) {
  const int64_t s = blockIdx.x;
  const uint8_t *label = labels_of(labels, task, Q, s, N);
  const real *rows = x + s * n * d;
  int actives = 0;
  for (int i = 0; i < N; i++) actives += label[i] != 0;
  const real less = 1 / real(N - actives), more = 1 / real(actives);
  if (threadIdx.x == 0) {
    share[2 * s] = less;
    share[2 * s + 1] = more;
  }
  for (int k = threadIdx.x; k < d; k += blockDim.x) {
    real inactive = 0, active = 0;
    for (int i = 0; i < N; i++) {
      const real v = rows[int64_t(i) * d + k];
      inactive += label[i] ? real(0) : v;
      active += label[i] ? v : real(0);
    }
    mean[s * set + k] = inactive * less;
    mean[s * set + apart + k] = active * more;
    if (query) query[s * d + k] = rows[int64_t(N) * d + k];
  }
}

// class_means_back: dx [R·n, d], from the gradients of the means, laid out as
// they are, and dquery [R, d] or null; a block a row of x.
KERNEL class_means_back(const real *dmean, const real *dquery, const uint8_t *labels,
                        const int32_t *task, int Q, const real *share, int N, int n, int d,
                        int64_t set, int64_t apart, real *dx) {
  const int64_t r = blockIdx.x, s = r / n;
  const int i = int(r % n), c = i < N && labels_of(labels, task, Q, s, N)[i] != 0;
  const real *from = i < N ? dmean + s * set + c * apart : dquery ? dquery + s * d : nullptr;
  const real scale = i < N ? share[2 * s + c] : real(1);
  for (int k = threadIdx.x; k < d; k += blockDim.x)
    dx[r * d + k] = from ? from[k] * scale : real(0);
}
