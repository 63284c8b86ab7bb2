// How hypernetworks and the classifier use the support's labels (Eqs. 9, 11 and 16). Labels
// [B·N] belong to the tasks' molecules. Set s belongs to the task in entry s mod Q of task [Q],
// or to task s if task is null. A set has n rows, its N support molecules first. n is N, or N+1
// with a query in the last row.
//
// Legend: R sets, N support molecules of a set, d width.

DEVICE const uint8_t *labels_of(const uint8_t *labels, const int32_t *task, int Q, int64_t s,
                                int N) {
  return labels + int64_t(task ? task[s % Q] : s) * N;
}

// join_labels: x [R·N, d+2], the support of h [R·n, d]. Each row is joined with [1 0] for an
// inactive and [0 1] for an active molecule. If query [R, d] is not null, it gets the last rows
// of the sets. One block for each row of h.
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

// join_labels_back: dh [R·n, d], from dx [R·N, d+2] and dquery [R, d] or null; one block for
// each row of h.
KERNEL join_labels_back(const real *dx, const real *dquery, int N, int n, int d, real *dh) {
  const int64_t r = blockIdx.x, s = r / n;
  const int i = int(r % n);
  const real *from = i < N ? dx + (s * N + i) * (d + 2) : dquery ? dquery + s * d : nullptr;
  for (int k = threadIdx.x; k < d; k += blockDim.x) dh[r * d + k] = from ? from[k] : real(0);
}

// class_means: the means of the support of x [R·n, d] over inactive molecules, at mean + s·set
// for set s, and over active molecules, `apart` elements further. share [R, 2] gets the
// reciprocals of the numbers of molecules; query is as above. One block for each set.
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

// class_means_back: dx [R·n, d], from the gradients of the means, in the same layout, and
// dquery [R, d] or null; one block for each row of x.
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
