// Following a pair from its anchor: how far D moved, which hidden units may have
// changed their sign on the way, which did, and what that does to the logit.
// pieces.hh has the idea and the bounds.
//
// Legend: R anchors, d, d', d'' widths.
#pragma once

#include "pairnet.hh"
#include "pieces.hh"

namespace pacia {

// approach leaves δ = D − D⁰ of a pair a, b and returns ‖δ‖² and u·δ.
template <class T>
struct Approach {
  T squared, along;
};
template <class T>
PACIA_INLINE Approach<T> approach_loop(const T *a, const T *b, const T *D, const T *u, T *delta,
                                       int64_t d) {
  const T least = lowest<T>();
#pragma omp simd
  for (int64_t i = 0; i < d; i++) delta[i] = exp_negative(-std::abs(a[i] - b[i]), least) - D[i];
  return {dot_loop(delta, delta, d), dot_loop(u, delta, d)};
}
PACIA_SIMD Approach<float> approach(const float *a, const float *b, const float *D, const float *u,
                                    float *delta, int64_t d) {
  return approach_loop(a, b, D, u, delta, d);
}
PACIA_SIMD Approach<double> approach(const double *a, const double *b, const double *D,
                                     const double *u, double *delta, int64_t d) {
  return approach_loop(a, b, D, u, delta, d);
}

// widen adds what a unit of the first layer that changed by so much at most may do to those
// of the second, by its weights w [n] in these.
template <class T>
PACIA_INLINE void widen_loop(const T *w, T change, T *bound, int64_t n) {
#pragma omp simd
  for (int64_t j = 0; j < n; j++) bound[j] += std::abs(w[j]) * change;
}
PACIA_SIMD void widen(const float *w, float change, float *bound, int64_t n) { widen_loop(w, change, bound, n); }
PACIA_SIMD void widen(const double *w, double change, double *bound, int64_t n) { widen_loop(w, change, bound, n); }

// inside returns as bits which of n ≤ kReach units z lie within their bounds.
template <class T>
PACIA_INLINE uint32_t inside_loop(const T *z, const T *bound, uint32_t n) {
  uint32_t bits = 0;
  if (n == kReach) {
#pragma omp simd reduction(| : bits)
    for (uint32_t i = 0; i < kReach; i++) bits |= static_cast<uint32_t>(std::abs(z[i]) <= bound[i]) << i;
    return bits;
  }
  for (uint32_t i = 0; i < n; i++) bits |= static_cast<uint32_t>(std::abs(z[i]) <= bound[i]) << i;
  return bits;
}
PACIA_SIMD uint32_t inside(const float *z, const float *bound, uint32_t n) { return inside_loop(z, bound, n); }
PACIA_SIMD uint32_t inside(const double *z, const double *bound, uint32_t n) { return inside_loop(z, bound, n); }

enum class Outcome { on, beside, unknown };

// Follower follows pairs from their anchors. Each thread has one.
template <class T>
class Follower {
 public:
  Follower(const Pieces &t, const PairNet &net)
      : d_(t.D.size(1)), d1_(t.z1.size(1)), d2_(t.z2.size(1)), D_(of(t.D)), z1_(of(t.z1)),
        z2_(of(t.z2)), s_(of(t.s)), slope1_(of(t.slope1)), slope2_(of(t.slope2)), h_(of(t.h)),
        u_(of(t.u)), move2_(of(t.move2)), near1_(of(t.near1.of)), near2_(of(t.near2.of)),
        least1_(of(t.near1.least)), least2_(of(t.near2.least)), runs1_(t.near1.runs),
        runs2_(t.near2.runs), bound_(static_cast<size_t>(d2_)), w1_(of(net.w1)),
        w2_(of(net.w2)), w2t_(of(t.w2t)), w3_(of(net.w3)), delta_(static_cast<size_t>(d_)),
        spare_(static_cast<size_t>(d_)), fours_(static_cast<size_t>(4 * d1_)),
        place_(static_cast<size_t>(t.many ? t.anchors() * d2_ : 0), -1) {}

  // follow calculates the logit of the pair of nodes a and b from anchor r.
  // The outcome says whether it lies on the anchor's piece, beside it, or is
  // unknown and left to the whole network.
  Outcome follow(int64_t r, const T *a, const T *b, T *s) {
    const auto m = approach(a, b, D_ + r * d_, u_ + r * d_, delta_.data(), d_);
    const T e = std::sqrt(m.squared) * T(1 + kSlack);
    *s = s_[r] + m.along;
    turned1_ = turned2_ = 0;
    if (!turn1(r, e) || !turn2(r, e)) return Outcome::unknown;
    for (int64_t i = 0; i < turned1_; i++) *s += h_[r * d1_ + k_[i]] * change1_[i];
    for (int64_t i = 0; i < turned2_; i++) *s += w3_[j_[i]] * change2_[i];
    return turned1_ + turned2_ == 0 ? Outcome::on : Outcome::beside;
  }

 private:
  static const T *of(const Tensor &t) { return t.data_ptr<T>(); }

  static T leaky_of(T z) { return z > 0 ? z : T(kLeak) * z; }

  // turn1 finds the units of the first layer that changed their sign.
  bool turn1(int64_t r, T e) {
    const int64_t doubts = within(near1_ + r * runs1_ * kReach, least1_ + r * runs1_, runs1_, e, doubt_);
    for (int64_t i = 0; i < doubts; i++) row_[i] = w1_ + doubt_[i] * d_;
    dots(row_, doubts, delta_.data(), d_, moved_);
    for (int64_t i = 0; i < doubts; i++) {
      const int64_t k = doubt_[i], at = r * d1_ + k;
      const T z = z1_[at] + moved_[i];
      if ((z > 0) == (z1_[at] > 0)) continue;
      k_[turned1_] = k;
      change1_[turned1_++] = leaky_of(z) - slope1_[at] * z;
    }
    return doubts >= 0;
  }

  // turn2 finds those of the second layer.
  bool turn2(int64_t r, T e) {
    const int64_t doubts =
        turned1_ > 0 ? near_turned(r, e)
                     : within(near2_ + r * runs2_ * kReach, least2_ + r * runs2_, runs2_, e, doubt_);
    if (doubts > 0 && !gradients2(r, doubts)) return false;
    dots(row_, doubts, delta_.data(), d_, moved_);
    for (int64_t i = 0; i < doubts; i++) {
      const int64_t j = doubt_[i], at = r * d2_ + j;
      T z = z2_[at] + moved_[i];
      for (int64_t k = 0; k < turned1_; k++) z += w2t_[k_[k] * d2_ + j] * change1_[k];
      if ((z > 0) == (z2_[at] > 0)) continue;
      j_[turned2_] = j;
      change2_[turned2_++] = leaky_of(z) - slope2_[at] * z;
    }
    return doubts >= 0;
  }

  // near_turned is within for the second layer when units of the first turned.
  int64_t near_turned(int64_t r, T e) {
    std::fill(bound_.begin(), bound_.end(), T(0));
    widen(move2_ + r * d2_, e, bound_.data(), d2_);
    for (int64_t k = 0; k < turned1_; k++)
      widen(w2t_ + k_[k] * d2_, std::abs(change1_[k]) * T(1 + kSlack), bound_.data(), d2_);
    int64_t found = 0;
    for (int64_t j = 0; j < d2_; j += kReach) {
      const auto n = static_cast<uint32_t>(std::min(kReach, d2_ - j));
      for (uint32_t bits = inside(z2_ + r * d2_ + j, bound_.data() + j, n); bits != 0; bits &= bits - 1) {
        if (found == kDoubts) return -1;
        doubt_[found++] = static_cast<int32_t>(j) + __builtin_ctz(bits);
      }
    }
    return found;
  }

  // gradients2 points row_ at the gradients of the units in doubt of the second layer on the
  // piece of anchor r, W1ᵀ(σ1 ⊙ W2_j). One costs as much as a pair, and is kept, which
  // pays where the pairs of many graphs ask for it. False where they are few, and once it
  // keeps as many as it may.
  bool gradients2(int64_t r, int64_t doubts) {
    if (place_.empty()) return false;
    int64_t missing = 0, units[kDoubts];
    T *to[kDoubts];
    for (int64_t i = 0; i < doubts; i++) {
      int32_t &place = place_[static_cast<size_t>(r * d2_ + doubt_[i])];
      if (place < 0) {
        if (static_cast<int64_t>(kept_.size()) * d_ > kKept) return make(r, units, missing, to), false;
        place = static_cast<int32_t>(kept_.size());
        kept_.emplace_back(new T[static_cast<size_t>(d_)]);
        units[missing] = doubt_[i];
        to[missing++] = kept_.back().get();
      }
      row_[i] = kept_[static_cast<size_t>(place)].get();
    }
    make(r, units, missing, to);
    return true;
  }

  // make calculates n of them.
  void make(int64_t r, const int64_t *units, int64_t n, T *const *to) {
    const T *slope = slope1_ + r * d1_;
    int64_t i = 0;
    for (; n - i > 1; i += 4) {
      T *y[4];
      for (int64_t c = 0; c < 4; c++) {
        const bool more = i + c < n;
        y[c] = more ? to[i + c] : spare_.data();
        const T *w = w2_ + units[more ? i + c : i] * d1_;
        for (int64_t k = 0; k < d1_; k++) fours_[4 * k + c] = slope[k] * w[k];
      }
      weighted_fours(w1_, fours_.data(), d1_, d_, y);
    }
    if (i < n) weighted_rows(w1_, w2_ + units[i] * d1_, slope, d1_, d_, to[i]);
  }

  static constexpr int64_t kKept = int64_t{1} << 22;  // numbers: 16 MB

  const int64_t d_, d1_, d2_;
  const T *D_, *z1_, *z2_, *s_, *slope1_, *slope2_, *h_, *u_, *move2_, *near1_, *near2_, *least1_,
      *least2_;
  const int64_t runs1_, runs2_;
  std::vector<T> bound_;
  const T *w1_, *w2_, *w2t_, *w3_;
  std::vector<T> delta_, spare_, fours_;
  std::vector<int32_t> place_;  // of a gradient in kept_, −1 without
  std::vector<std::unique_ptr<T[]>> kept_;
  int64_t turned1_ = 0, turned2_ = 0, k_[kDoubts], j_[kDoubts];
  int32_t doubt_[kDoubts];
  const T *row_[kDoubts];
  T moved_[kDoubts];
  T change1_[kDoubts], change2_[kDoubts];
};

}  // namespace pacia
