// A step of Adam or AdamW over all parameters (ops/adam/adam.hh), with the norm of the
// gradients and the clipping. It needs nothing from the host: the state of earlier steps is on
// the device.
//
// A parameter is one row of a table of addresses. It is cut into chunks, one for each block, so
// that small and large parameters use the device equally well.

DEVICE bool finite_number(double x) { return x - x == 0; }

// block_sum adds up the values of 256 threads; the first thread gets the sum.
DEVICE double block_sum(double v) {
  SHARED(double, part, [256]);
  part[threadIdx.x] = v;
  __syncthreads();
  for (int n = 128; n > 0; n /= 2) {
    if (int(threadIdx.x) < n) part[threadIdx.x] += part[threadIdx.x + n];
    __syncthreads();
  }
  return part[0];
}

// adam_squares: the sum of the squared gradients of each chunk. The square of a gradient above
// 1.8e19 overflows a float, so that its step is not finite.
KERNEL adam_squares(const AdamParameter *table, const AdamChunk *chunks, double *squares) {
  const AdamChunk c = chunks[blockIdx.x];
  const real *g = static_cast<const real *>(table[c.parameter].gradient) + c.first;
  Sum squared = {0, 0, 0};
  for (int64_t i = threadIdx.x; i < c.n; i += blockDim.x) squared.add(g[i] * g[i]);
  const double sum = block_sum(squared.value());
  if (threadIdx.x == 0) squares[blockIdx.x] = sum;
}

// adam_plan, in one block: the norm, whether the step is made, and its factors. The loss and
// the norm are written to log [calls, 2], which is a ring buffer.
KERNEL adam_plan(const double *squares, int chunks, const real *loss, double *numbers, double *log,
                 int ring, AdamOptions o) {
  double sum = 0;
  for (int i = threadIdx.x; i < chunks; i += blockDim.x) sum += squares[i];
  sum = block_sum(sum);
  if (threadIdx.x > 0) return;
  const double norm = sqrt(sum);
  double *to = log + int64_t(numbers[kAdamCalls]) % ring * 2;
  to[0] = loss ? double(*loss) : 0;
  to[1] = norm;
  numbers[kAdamCalls] += 1;
  if (!finite_number(to[0]) || !finite_number(norm)) numbers[kAdamHalted] = 1;
  if (numbers[kAdamHalted] != 0) return;
  const double t = numbers[kAdamSteps] += 1;
  const double clip = o.clip_norm / (norm + kClipSlack);
  numbers[kAdamClip] = o.clip_norm > 0 && clip < 1 ? clip : 1;
  numbers[kAdamRate] = o.lr * rate_share(o.schedule, t);
  numbers[kAdamStep] = numbers[kAdamRate] / (1 - pow(o.beta1, t));
  numbers[kAdamRoot] = 1 / sqrt(1 - pow(o.beta2, t));
}

// adam_update: new parameters and moments. If clear is set, it also sets the
// gradients to 0.
KERNEL adam_update(const AdamParameter *table, const AdamChunk *chunks, const double *numbers,
                   AdamOptions o, int clear) {
  const AdamChunk c = chunks[blockIdx.x];
  const AdamParameter a = table[c.parameter];
  real *p = static_cast<real *>(a.value) + c.first, *g = static_cast<real *>(a.gradient) + c.first;
  real *m = static_cast<real *>(a.m) + c.first, *v = static_cast<real *>(a.v) + c.first;
  const bool halted = numbers[kAdamHalted] != 0;
  const real clip = real(numbers[kAdamClip]), step = real(numbers[kAdamStep]);
  const real root = real(numbers[kAdamRoot]), beta1 = real(o.beta1), beta2 = real(o.beta2);
  const real decay = real(o.decoupled ? 0 : o.weight_decay), eps = real(o.eps);
  const real shrink = real(o.decoupled ? 1 - numbers[kAdamRate] * o.weight_decay : 1);
  for (int64_t i = threadIdx.x; i < c.n; i += blockDim.x) {
    if (!halted) {
      const real x = p[i] * shrink, d = g[i] * clip + decay * x;
      m[i] = beta1 * m[i] + (1 - beta1) * d;
      v[i] = beta2 * v[i] + (1 - beta2) * d * d;
      p[i] = x - step * m[i] / (sqrt(v[i]) * root + eps);
    }
    if (clear) g[i] = 0;
  }
}
