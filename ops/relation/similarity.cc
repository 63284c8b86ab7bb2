#include "core/libtorch.hh"

#include "similarity.hh"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/mv.h>

#include "follow.hh"

namespace pacia {

namespace {

// The number of graphs that are followed together, so that an anchor's tables, and the weight
// rows of its doubtful units, are read from memory once for all of them. Two nodes of each
// graph stay in the second-level cache.
constexpr int64_t kTogether = 128;

// anchored calls f(pair, row, left, right) for every pair of support molecules with an anchor
// in the graphs first..last.
template <class F>
void anchored(const Pairs &p, const Pieces &t, int64_t first, int64_t last, const F &f) {
  for (int64_t q = first, stop; q < last; q = stop) {
    stop = q + 1;
    if (t.row[q] < 0) continue;
    while (stop < last && stop < q + kTogether && t.row[stop] == t.row[q]) stop++;
    for (int64_t k = 0; k < p.support_pairs(); k++)
      for (int64_t at = q; at < stop; at++) {
        const int64_t pair = p.inner[at] + k;
        f(pair, t.row[q] + k, p.left[pair], p.right[pair]);
      }
  }
}

// shares calls f(part, begin, end) for parts of 0..n, one for each thread.
template <class F>
void shares(int64_t n, const F &f) {
  const int64_t parts = std::max<int64_t>(1, std::min<int64_t>(at::get_num_threads(), n));
  at::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++) f(k, n * k / parts, n * (k + 1) / parts);
  });
}

// follow_all writes to a the logits of the pairs that can be followed, and returns the other pairs.
std::vector<int64_t> follow_all(const Tensor &x, const Pairs &p, const PairNet &net,
                                       Pieces &t, const Tensor &a) {
  std::vector<int64_t> rest;
  if (t.anchors() == 0) {
    rest.resize(static_cast<size_t>(p.size()));
    std::iota(rest.begin(), rest.end(), 0);
    return rest;
  }
  std::vector<uint8_t> done(static_cast<size_t>(p.size()), 0);
  const int64_t d = x.size(1);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "follow_all", [&] {
    const auto *h = x.data_ptr<scalar_t>();
    auto *s = a.data_ptr<scalar_t>();
    shares(p.Q, [&](int64_t, int64_t begin, int64_t end) {
      Follower<scalar_t> follower(t, net);
      anchored(p, t, begin, end, [&](int64_t k, int64_t r, int64_t i, int64_t j) {
        const auto outcome = follower.follow(r, h + i * d, h + j * d, s + k);
        done[k] = outcome != Outcome::unknown;
        t.on[k] = outcome == Outcome::on;
      });
    });
  });
  for (int64_t k = 0; k < p.size(); k++)
    if (!done[k]) rest.push_back(k);
  return rest;
}

}  // namespace

Tensor similarities(const Tensor &x, const Pairs &p, const PairNet &net, Pieces &t) {
  auto a = at::empty({p.size()}, x.options());
  auto rest = follow_all(x, p, net, t, a);
  const int64_t total = static_cast<int64_t>(rest.size()), chunks = (total + kChunk - 1) / kChunk;
  at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
    at::NoGradGuard no_grad;
    for (int64_t k = begin; k < end; k++) {
      const int64_t first = k * kChunk, c = std::min(kChunk, total - first);
      auto z = pair_chunk(x, p, rest.data() + first, c, net);
      auto s = at::mv(z.z2, net.w3.flatten());
      if (net.b3.defined()) s.add_(net.b3);
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "similarities", [&] {
        for (int64_t i = 0; i < c; i++) {
          const int64_t pair = rest[first + i], r = t.anchor(p, pair);
          a.data_ptr<scalar_t>()[pair] = s.data_ptr<scalar_t>()[i];
          if (r >= 0)
            t.on[pair] = t.same(r, z.z1.data_ptr<scalar_t>() + i * z.z1.size(1),
                                z.z2.data_ptr<scalar_t>() + i * z.z2.size(1));
        }
      });
    }
  });
  return a.sigmoid_();
}

namespace {

// piece_back adds the gradients of a pair on its anchor's piece to da and db, and adds to the
// sum of ds·D.
template <class T>
PACIA_INLINE void piece_back_loop(const T *a, const T *b, const T *u, T ds, T *da, T *db, T *sum,
                                  int64_t d) {
  const T least = lowest<T>();
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const T x = a[i] - b[i], y = ds * exp_negative(-std::abs(x), least), m = u[i] * y;
    const T t = x > 0 ? -m : x < 0 ? m : T(0);
    da[i] += t;
    db[i] -= t;
    sum[i] += y;
  }
}
PACIA_SIMD void piece_back(const float *a, const float *b, const float *u, float ds, float *da,
                           float *db, float *sum, int64_t d) {
  piece_back_loop(a, b, u, ds, da, db, sum, d);
}
PACIA_SIMD void piece_back(const double *a, const double *b, const double *u, double ds, double *da,
                           double *db, double *sum, int64_t d) {
  piece_back_loop(a, b, u, ds, da, db, sum, d);
}

// anchor_gradients converts R = Σ ds·D [R, d] and c = Σ ds [R, 1] to the gradients of the six
// weights.
std::vector<Tensor> anchor_gradients(const Pieces &t, const PairNet &net, const Tensor &R,
                                            const Tensor &c) {
  auto linear = [&](const Tensor &y, const Tensor &w, const Tensor &b) {
    auto z = times(y, w, true);
    return b.defined() ? z.add_(c * b) : z;
  };
  auto a1 = linear(R, net.w1, net.b1).mul_(t.slope1);
  auto a2 = linear(a1, net.w2, net.b2).mul_(t.slope2);
  return {across(t.g, R), at::mv(t.g.t(), c.flatten()), across(t.v, a1),
          at::mv(t.v.t(), c.flatten()), a2.sum(0, true), c.sum().view(1)};
}

// followed_gradients adds the gradients for the pairs on the pieces, given the gradients ds of
// their logits.
void followed_gradients(const Tensor &x, const Pairs &p, const PairNet &net, const Pieces &t,
                               const Tensor &ds, PairGradients &to) {
  const int64_t d = x.size(1);
  std::vector<Tensor> sums, counts;
  for (int64_t k = 0; k < at::get_num_threads(); k++) {
    sums.push_back(at::zeros_like(t.D));
    counts.push_back(at::zeros({t.anchors(), 1}, t.D.options()));
  }
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "followed_gradients", [&] {
    const auto *h = x.data_ptr<scalar_t>(), *s = ds.data_ptr<scalar_t>(), *u = t.u.data_ptr<scalar_t>();
    auto *dx = to.x.data_ptr<scalar_t>();
    shares(p.Q, [&](int64_t part, int64_t begin, int64_t end) {
      auto *sum = sums[part].data_ptr<scalar_t>(), *count = counts[part].data_ptr<scalar_t>();
      anchored(p, t, begin, end, [&](int64_t k, int64_t r, int64_t i, int64_t j) {
        if (!t.on[k] || s[k] == 0) return;
        piece_back(h + i * d, h + j * d, u + r * d, s[k], dx + i * d, dx + j * d, sum + r * d, d);
        count[r] += s[k];
      });
    });
  });
  for (size_t k = 1; k < sums.size(); k++) {
    sums[0].add_(sums[k]);
    counts[0].add_(counts[k]);
  }
  to.add(anchor_gradients(t, net, sums[0], counts[0]));
}

}  // namespace

// Each thread gets a run of blocks with about equal work, so that no two threads write to the
// same row.
PairGradients similarity_gradients(const Tensor &x, const Pairs &p, const PairNet &net,
                                          const Pieces &t, const Tensor &a, const Tensor &da) {
  auto ds = da * a * (1 - a);
  std::vector<int64_t> live;
  std::vector<int64_t> block{0};
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "live", [&] {
    const auto *s = ds.data_ptr<scalar_t>();
    for (size_t b = 0; b + 1 < p.block.size(); b++) {
      for (int64_t k = p.block[b]; k < p.block[b + 1]; k++)
        if (s[k] != 0 && !t.on[k]) live.push_back(k);
      block.push_back(static_cast<int64_t>(live.size()));
    }
  });
  const int64_t total = static_cast<int64_t>(live.size());
  auto chosen = ds.index_select(0, at::from_blob(live.data(), {total}, at::kLong));
  auto dx = at::zeros_like(x);
  const int64_t threads = at::get_num_threads();
  std::vector<Worker> workers;
  for (int64_t k = 0; k < threads; k++) workers.emplace_back(x, p, net, dx);
  auto start = [&](int64_t k) {
    return *std::lower_bound(block.begin(), block.end(), total * k / threads);
  };
  at::parallel_for(0, threads, 1, [&](int64_t begin, int64_t end) {
    at::NoGradGuard no_grad;
    for (int64_t w = begin; w < end; w++)
      for (int64_t k = start(w), stop = start(w + 1); k < stop; k += kChunk) {
        const int64_t c = std::min(kChunk, stop - k);
        workers[static_cast<size_t>(w)].chunk(live.data() + k, c, chosen.slice(0, k, k + c));
      }
  });
  PairGradients out{dx, workers[0].sums()};
  for (size_t k = 1; k < workers.size(); k++) out.add(workers[k].sums());
  if (t.anchors() > 0) followed_gradients(x, p, net, t, ds, out);
  return out;
}

}  // namespace pacia
