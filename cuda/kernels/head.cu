// The logits of the adaptive classifier (Eq. 20), and the loss over layers (Eq. 12) with its
// gradient; ops/head/depth.cc defines the forms.
//
// Legend: Q queries, L layers, d width.

// logits: w·query + b [Q, L, 2], for w [2, L·Q, d], b [2, L·Q], inactive first, and query
// [L·Q, d]. One warp for each logit.
KERNEL logits(const real *w, const real *b, const real *query, int L, int64_t Q, int d, real *y) {
  const int64_t k = warp_number(), rows = L * Q, r = k % rows;
  if (k >= 2 * rows) return;
  real sum = 0;
  for (int i = threadIdx.x % 32; i < d; i += 32) sum += w[k * d + i] * query[r * d + i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) y[(r % Q * L + r / Q) * 2 + k / rows] = sum + b[k];
}

// logits_back: the gradients of w, b and query, from dy [Q, L, 2]; one warp for each query at
// each layer.
KERNEL logits_back(const real *dy, const real *w, const real *query, int L, int64_t Q, int d,
                   real *dw, real *db, real *dquery) {
  const int64_t r = warp_number(), rows = L * Q;
  if (r >= rows) return;
  const real *g = dy + (r % Q * L + r / Q) * 2;
  for (int i = threadIdx.x % 32; i < d; i += 32) {
    const int64_t at = r * d + i, other = (rows + r) * d + i;
    dquery[at] = g[0] * w[at] + g[1] * w[other];
    dw[at] = g[0] * query[at];
    dw[other] = g[1] * query[at];
  }
  if (threadIdx.x % 32 < 2) db[threadIdx.x % 32 * rows + r] = g[threadIdx.x % 32];
}

// loss, for each query: ce [Q, L] of logits [Q, L, 2], its share [Q] of the loss, and gradients
// of this share. These are dlogits [Q, L, 2], and dp [Q, L] of the scores p [Q, L]. p and dp
// are null for forms that softmax(p) does not weight. One thread for each query.
KERNEL loss(const real *logits, const uint8_t *labels, const real *weights, const real *p, int Q,
            int L, LayerLoss form, real tasks, real *ce, real *share, real *dlogits, real *dp) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= Q) return;
  const int y = labels[q] != 0, last = q * L + L - 1;
  const real weight = weights[q];
  real most = 0, all = 0, mean = 0;
  if (p) {
    most = p[last];
    for (int k = q * L; k < last; k++) most = p[k] > most ? p[k] : most;
    for (int k = q * L; k <= last; k++) all += exp(p[k] - most);
  }
  share[q] = 0;
  for (int k = q * L; k <= last; k++) {
    // Cross entropy is log(1 + exp(t)), and its slope 1/(1 + exp(−t)).
    const real t = logits[2 * k + 1 - y] - logits[2 * k + y], e = exp(-fabs(t));
    const real slope = (t > 0 ? real(1) : e) / (1 + e);
    ce[k] = (t > 0 ? t : real(0)) + log(1 + e);
    real w = 0;
    switch (form) {
#define LOSS(name, share, ...) \
  case LayerLoss::name:        \
    w = share;                 \
    break;
      LAYER_LOSSES
#undef LOSS
    }
    if (p) {
      const real chance = exp(p[k] - most) / all;
      w *= chance;
      mean += chance * ce[k];
      dp[k] = w;
    }
    if (w != 0) share[q] += w * ce[k];
    dlogits[2 * k + 1 - y] = w * slope;
    dlogits[2 * k + y] = -w * slope;
  }
  for (int k = q * L; p && k <= last; k++) dp[k] *= ce[k] - mean;
}
