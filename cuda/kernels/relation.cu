// The graph that a relation layer makes from similarities (Eqs. 4 and 5), and its backward
// pass. Gradients are gathered: each is a sum, in a fixed order, over the graphs and pairs that
// contain its node or pair.
//
// Legend: see pairs.cu; a [P] similarities, K number of neighbours kept, W [Q·n, n] entries
// kept, each row divided by its total.

// strongest: row i of graph q of W has the K largest similarities of node i; among equal ones,
// those of the first nodes. The rank of an entry is the number of entries before it. This takes
// n steps for each entry, with all threads at the same address: a negligible time for 21 nodes,
// that of the pair network for 800. One warp for each row.
KERNEL strongest(const real *a, Compared c, int K, real floor, real *W, real *total) {
  const int n = c.N + 1, lane = threadIdx.x % 32;
  const int64_t r = warp_number(), q = r / n;
  const int i = int(r % n);
  if (q >= c.Q) return;
  real sum = 0;
  for (int j = lane; j < n; j += 32) {
    const real v = j == i ? real(0) : a[pair_of(c, q, i, j)];
    int before = 0;
    for (int l = 0; l < n; l++) {
      if (l == i) continue;
      const real other = a[pair_of(c, q, i, l)];
      before += other > v || (other == v && l < j);
    }
    W[r * n + j] = j != i && before < K ? v : real(0);
    sum += W[r * n + j];
  }
  sum = warp_sum(sum);
  if (sum < floor) sum = floor;
  for (int j = lane; j < n; j += 32) W[r * n + j] /= sum;
  if (lane == 0) total[r] = sum;
}

// join: y [Q·n, 2d] = [h_i | Σ_j W_ij h_j]; one block for each row.
KERNEL join(const real *h, const real *W, Compared c, int d, real *y) {
  const int n = c.N + 1;
  const int64_t r = blockIdx.x, q = r / n;
  const real *own = h + node_row(c, q, int(r % n)) * d;
  for (int x = threadIdx.x; x < d; x += blockDim.x) {
    real sum = 0;
    for (int j = 0; j < n; j++) {
      const real w = W[r * n + j];
      if (w != 0) sum += w * h[node_row(c, q, j) * d + x];
    }
    y[r * 2 * d + x] = own[x];
    y[r * 2 * d + d + x] = sum;
  }
}

// join_back: dn [Q·n, d], the gradients of each graph's nodes, from dy [Q·n, 2d]; one block for
// each row.
KERNEL join_back(const real *dy, const real *W, Compared c, int d, real *dn) {
  const int n = c.N + 1;
  const int64_t r = blockIdx.x, q = r / n;
  const int j = int(r % n);
  for (int x = threadIdx.x; x < d; x += blockDim.x) {
    real sum = dy[r * 2 * d + x];
    for (int64_t i = q * n; i < (q + 1) * n; i++) {
      const real w = W[i * n + j];
      if (w != 0) sum += w * dy[i * 2 * d + d + x];
    }
    dn[r * d + x] = sum;
  }
}

// strongest_back: da [Q·n, n], the gradients of each row's similarities, from dy [Q·n, 2d]; one
// warp for each row.
KERNEL strongest_back(const real *dy, const real *h, const real *W, const real *total, Compared c,
                      int d, real *da) {
  const int n = c.N + 1, lane = threadIdx.x % 32;
  const int64_t r = warp_number(), q = r / n;
  if (q >= c.Q) return;
  real mean = 0;
  for (int j = 0; j < n; j++) {
    const real w = W[r * n + j];
    if (w == 0) continue;  // in all threads of the warp
    const real *other = h + node_row(c, q, j) * d;
    real sum = 0;
    for (int x = lane; x < d; x += 32) sum += dy[r * 2 * d + d + x] * other[x];
    sum = warp_sum(sum);
    mean += w * sum;
    if (lane == j % 32) da[r * n + j] = sum;
  }
  for (int j = lane; j < n; j += 32)
    da[r * n + j] = W[r * n + j] == 0 ? real(0) : (da[r * n + j] - mean) / total[r];
}

// pairs_back: ds [P], the gradients of the logits of the similarities: the sum over both rows
// of a pair in every graph that contains it. One thread for each pair.
KERNEL pairs_back(const real *da, const real *a, Compared c, int64_t P, real *ds) {
  const int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= P) return;
  const int n = c.N + 1;
  const Pair at = pair_at(c, p);
  const int64_t first = at.every ? c.start[at.graph] : at.graph;
  const int64_t last = at.every ? c.start[at.graph + 1] : at.graph + 1;
  real sum = 0;
  for (int64_t q = first; q < last; q++)
    sum += da[(q * n + at.i) * n + at.j] + da[(q * n + at.j) * n + at.i];
  ds[p] = sum * a[p] * (1 - a[p]);
}

// distance_back returns the gradient of x from the gradient g of exp(−|x − y|).
DEVICE real distance_back(real x, real y, real g) {
  const real t = x - y, m = g * exp(-fabs(t));
  return t > 0 ? -m : t < 0 ? m : real(0);
}

// nodes_back: dh, from dn [Q·n, d] and the gradients dD [P, d] of the pairs' distances; one
// block for each distinct node.
KERNEL nodes_back(const real *dn, const real *dD, const real *h, Compared c, int d, real *dh) {
  const int n = c.N + 1;
  const int64_t r = blockIdx.x, support = c.shared ? int64_t(c.B) * c.N : 0;
  const bool many = r < support;
  // Node i of the graphs from first to before last.
  const int i = int(many ? r % c.N : c.shared ? c.N : r % n);
  const int64_t first = many ? c.start[r / c.N] : c.shared ? r - support : r / n;
  const int64_t last = many ? c.start[r / c.N + 1] : first + 1;
  for (int x = threadIdx.x; x < d; x += blockDim.x) {
    const real own = h[r * d + x];
    real sum = 0;
    for (int64_t q = first; q < last; q++) sum += dn[(q * n + i) * d + x];
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      // A pair of support molecules is the same in all these graphs.
      const int64_t end = many && j < c.N && first < last ? first + 1 : last;
      for (int64_t q = first; q < end; q++)
        sum += distance_back(own, h[node_row(c, q, j) * d + x], dD[pair_of(c, q, i, j) * d + x]);
    }
    dh[r * d + x] = sum;
  }
}
