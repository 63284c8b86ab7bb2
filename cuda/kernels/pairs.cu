// The numbers of pairs of nodes, and the nodes of a pair, are calculated, so that
// no list of pairs is in memory. A pair has i < j. Pairs with the same j are
// consecutive:
//
//   shared   N(N−1)/2 pairs of the support molecules of each task, then the
//            pairs of each query with its N support molecules
//   else     n(n−1)/2 pairs of each graph
//
// Distinct nodes are rows of a table: the support of all tasks [B·N], then the queries [Q], if
// shared; otherwise the nodes of all graphs [Q·n].
//
// Legend: B tasks, Q graphs (queries), N support molecules, n = N+1 nodes of a
// graph, the query last; P pairs, d width.

// triangle returns the number of pairs i < j of n nodes.
DEVICE int64_t triangle(int64_t n) { return n * (n - 1) / 2; }

// quotient returns p / n of non-negative numbers. It divides in 32 bits if both fit, since a
// 64-bit division takes a GPU some 80 instructions.
DEVICE int64_t quotient(int64_t p, int64_t n) {
  return (p | n) >> 32 == 0 ? int64_t(uint32_t(p) / uint32_t(n)) : p / n;
}

// node_row returns the row of node i of graph q.
DEVICE int64_t node_row(const Compared &c, int64_t q, int i) {
  if (!c.shared) return q * (c.N + 1) + i;
  return i < c.N ? int64_t(c.task[q]) * c.N + i : int64_t(c.B) * c.N + q;
}

// pair_of returns the number of the pair of nodes i and j ≠ i of graph q.
DEVICE int64_t pair_of(const Compared &c, int64_t q, int i, int j) {
  const int low = i < j ? i : j, high = i < j ? j : i;
  if (!c.shared) return q * triangle(c.N + 1) + triangle(high) + low;
  if (high < c.N) return c.task[q] * triangle(c.N) + triangle(high) + low;
  return c.B * triangle(c.N) + q * c.N + low;
}

// Pair is a pair of nodes i < j of a graph, or of every graph of a task.
struct Pair {
  int64_t graph;  // or task
  int i, j;
  bool every;
};

DEVICE Pair pair_at(const Compared &c, int64_t p) {
  const int64_t each = triangle(c.shared ? c.N : c.N + 1), outer = p - c.B * each;
  if (c.shared && outer >= 0) {
    const int64_t q = quotient(outer, c.N);
    return {q, int(outer - q * c.N), c.N, false};
  }
  const int64_t q = quotient(p, each), k = p - q * each;
  int j = int((1 + sqrt(real(1 + 8 * k))) / 2);  // up to rounding
  while (triangle(j) > k) j--;
  while (triangle(j + 1) <= k) j++;
  return {q, int(k - triangle(j)), j, c.shared};
}

// pair_rows returns the rows of a pair's nodes.
struct PairRows {
  int64_t left, right;
};
DEVICE PairRows pair_rows(const Compared &c, int64_t p) {
  const Pair at = pair_at(c, p);
  if (at.every) return {at.graph * c.N + at.i, at.graph * c.N + at.j};
  return {node_row(c, at.graph, at.i), node_row(c, at.graph, at.j)};
}

// pair_distances: D [count, d] = exp(−|h_i − h_j|) for the pairs from first on; one warp for
// each pair.
KERNEL pair_distances(const real *h, Compared c, int64_t first, int64_t count, int d, real *D) {
  const int64_t k = warp_number();
  if (k >= count) return;
  const PairRows at = pair_rows(c, first + k);
  const real *left = h + at.left * d, *right = h + at.right * d;
  for (int x = threadIdx.x % 32; x < d; x += 32) D[k * d + x] = exp(-fabs(left[x] - right[x]));
}

// pair_scores: the end of the pair network. From z = W2 y1 [count, d], it computes y2 =
// LeakyReLU(z + b2), which replaces z if keep is set, and a = sigmoid(w3·y2 + b3) [count]. b2
// and b3 may be null. One warp for each pair.
KERNEL pair_scores(real *z, const real *b2, const real *w3, const real *b3, int64_t count, int d,
                   bool keep, real *a) {
  const int64_t k = warp_number();
  if (k >= count) return;
  real s = 0;
  for (int x = threadIdx.x % 32; x < d; x += 32) {
    const real y = leaky_of(z[k * d + x] + (b2 ? b2[x] : real(0)));
    if (keep) z[k * d + x] = y;
    s += y * w3[x];
  }
  s = warp_sum(s);
  if (threadIdx.x % 32 == 0) a[k] = 1 / (1 + exp(-(s + (b3 ? b3[0] : real(0)))));
}

// pair_scores_back: the gradient g [P, d] of z, from the gradient ds [P] of w3·y2 + b3; one
// warp for each pair.
KERNEL pair_scores_back(const real *ds, const real *y2, const real *w3, int64_t P, int d, real *g) {
  const int64_t k = warp_number();
  if (k >= P) return;
  for (int x = threadIdx.x % 32; x < d; x += 32)
    g[k * d + x] = ds[k] * w3[x] * leaky_slope(y2[k * d + x]);
}
