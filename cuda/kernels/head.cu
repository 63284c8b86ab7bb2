// The loss over layers (Eq. 10) with its gradient; ops/head.hh has the forms.
//
// Legend: Q queries, L layers.

// loss: of each query, ce [Q, L] of logits [Q, L, 2], its share [Q] of the loss,
// and the gradients of that: dlogits [Q, L, 2], and dp [Q, L] of the scores p
// [Q, L] that the expectation goes by; both null otherwise. A thread a query.
KERNEL loss(const real *logits, const uint8_t *labels, const real *weight, const real *p, int Q,
            int L, LayerLoss form, real tasks, real *ce, real *share, real *dlogits, real *dp) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= Q) return;
  const int y = labels[q] != 0, last = q * L + L - 1;
  real most = 0, all = 0, mean = 0;
  if (p) {
    most = p[last];
    for (int k = q * L; k < last; k++) most = p[k] > most ? p[k] : most;
    for (int k = q * L; k <= last; k++) all += exp(p[k] - most);
  }
  share[q] = 0;
  for (int k = q * L; k <= last; k++) {
    // Cross entropy is log(1 + exp(t)), its slope 1/(1 + exp(−t)).
    const real t = logits[2 * k + 1 - y] - logits[2 * k + y], e = exp(-fabs(t));
    const real slope = (t > 0 ? real(1) : e) / (1 + e);
    ce[k] = (t > 0 ? t : real(0)) + log(1 + e);
    real w = form == LayerLoss::uniform ? 1 / tasks : weight[q];
    if (form == LayerLoss::last && k != last) w = 0;
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
