// Evaluation of a pair from its anchor: how far D has moved, which hidden units may have
// changed their sign, which have, and how the logit changes. pieces.hh has the idea and the
// bounds.
//
// Legend: R anchors, d, d', d'' widths.
#pragma once

#include "doubts.hh"
#include "pairnet.hh"
#include "pieces.hh"
#include "product/vector.hh"

namespace pacia {

// approach computes δ and its products t [m] with the axes, and returns ‖δ‖² and u·δ.
template <class T>
struct Approach {
  T squared, along;
};
template <int bytes, class T>
PACIA_INLINE Approach<T> approach_loop(const T *a, const T *b, const T *D, const T *u, const T *axes,
                                       int64_t m, T *delta, T *t, int64_t d) {
  displacement_loop(a, b, D, delta, d);
  for (int64_t i = 0; i < m; i += 4) {
    const T *const rows[4] = {axes + i * d, axes + (i + 1) * d, axes + (i + 2) * d, axes + (i + 3) * d};
    some_dots<bytes, 4>(rows, delta, d, t + i);
  }
  return {dot_loop<bytes>(delta, delta, d), dot_loop<bytes>(u, delta, d)};
}
PACIA_WIDTHS(Approach<float> approach(const float *a, const float *b, const float *D, const float *u, const float *axes,
                                      int64_t m, float *delta, float *t, int64_t d),
             return approach_loop<bytes>(a, b, D, u, axes, m, delta, t, d);)
PACIA_WIDTHS(Approach<double> approach(const double *a, const double *b, const double *D, const double *u,
                                       const double *axes, int64_t m, double *delta, double *t, int64_t d),
             return approach_loop<bytes>(a, b, D, u, axes, m, delta, t, d);)

// Anchors are the evaluated pairs [R] from which others are followed.
template <class T>
struct Anchors {
  const T *difference;         // [R, d] D
  const T *hidden1, *hidden2;  // [R, d'], [R, d''] before the activation
  const T *logit;              // [R]
  const T *slope1, *slope2;    // of the activations, as hidden1 and hidden2
  const T *by_hidden1;         // [R, d'] gradient of the logit by the first activation
  const T *by_difference;      // [R, d] gradient of the logit by D
};

enum class Outcome { on, beside, unknown };

// Follower evaluates pairs from their anchors. Each thread has one.
template <class T>
class Follower {
 public:
  Follower(const Pieces &t, const PairNet &net)
      : d_(t.D.size(1)), d1_(t.z1.size(1)), d2_(t.z2.size(1)),
        anchors_{of(t.D), of(t.z1), of(t.z2), of(t.s), of(t.slope1), of(t.slope2), of(t.h), of(t.u)},
        axes_(of(t.axes)), along1_(of(t.along1)), along2_(of(t.along2)),
        far1_(of(t.far1)), far2_(of(t.far2)), reach1_(of(t.reach1)), reach2_(of(t.reach2)), m_(t.m),
        runs1_(t.far1.size(1)), runs2_(t.far2.size(1)), shifted_(static_cast<size_t>(runs2_)),
        w1_(of(net.w1)), w2_(of(net.w2)), w2t_(of(t.w2t)), w21_(of(t.w21)), w3_(of(net.w3)), delta_(static_cast<size_t>(d_)),
        spare_(static_cast<size_t>(d_)), fours_(static_cast<size_t>(4 * d1_)),
        place_(static_cast<size_t>(t.many ? t.anchors() * d2_ : 0), -1) {}

  // follow computes the logit of the pair of nodes a and b from anchor r. The outcome is
  // whether the pair is on the anchor's piece or beside it. If it is unknown, the whole network
  // must be evaluated.
  Outcome follow(int64_t r, const T *a, const T *b, T *s) {
    const auto moved = approach(a, b, anchors_.difference + r * d_, anchors_.by_difference + r * d_, axes_ + r * m_ * d_, m_,
                                delta_.data(), t_, d_);
    T rest = moved.squared;
    for (int64_t i = 0; i < m_; i++) rest -= t_[i] * t_[i];
    rest_ = std::sqrt(std::max(rest, T(0)) + T(kSlack) * moved.squared);
    *s = anchors_.logit[r] + moved.along;
    turned1_ = turned2_ = 0;
    if (!turn1(r) || !turn2(r)) return Outcome::unknown;
    for (int64_t i = 0; i < turned1_; i++) *s += anchors_.by_hidden1[r * d1_ + k_[i]] * change1_[i];
    for (int64_t i = 0; i < turned2_; i++) *s += w3_[j_[i]] * change2_[i];
    return turned1_ + turned2_ == 0 ? Outcome::on : Outcome::beside;
  }

 private:
  static const T *of(const Tensor &t) { return t.data_ptr<T>(); }

  static T leaky_of(T z) { return z > 0 ? z : T(kLeak) * z; }

  // turn1 finds the units of the first layer that have changed their sign.
  bool turn1(int64_t r) {
    const int64_t doubts = doubtful(Bounds<T>{far1_ + r * runs1_, along1_ + r * m_ * runs1_, reach1_, runs1_}, m_, t_, rest_, doubt_);
    for (int64_t i = 0; i < doubts; i++) row_[i] = w1_ + doubt_[i] * d_;
    dots(row_, doubts, delta_.data(), d_, moved_);
    for (int64_t i = 0; i < doubts; i++) {
      const int64_t k = doubt_[i], at = r * d1_ + k;
      const T z = anchors_.hidden1[at] + moved_[i];
      if ((z > 0) == (anchors_.hidden1[at] > 0)) continue;
      k_[turned1_] = k;
      change1_[turned1_++] = leaky_of(z) - anchors_.slope1[at] * z;
    }
    return doubts >= 0;
  }

  // turn2 finds the units of the second layer that have changed their sign.
  bool turn2(int64_t r) {
    const T *far = turned1_ > 0 ? shifted(r) : far2_ + r * runs2_;
    const int64_t doubts = doubtful(Bounds<T>{far, along2_ + r * m_ * runs2_, reach2_ + r * runs2_, runs2_}, m_, t_, rest_, doubt_);
    if (doubts > 0 && !gradients2(r, doubts)) return false;
    dots(row_, doubts, delta_.data(), d_, moved_);
    for (int64_t i = 0; i < doubts; i++) {
      const int64_t j = doubt_[i], at = r * d2_ + j;
      T z = anchors_.hidden2[at] + moved_[i];
      for (int64_t k = 0; k < turned1_; k++) z += w2t_[k_[k] * d2_ + j] * change1_[k];
      if ((z > 0) == (anchors_.hidden2[at] > 0)) continue;
      j_[turned2_] = j;
      change2_[turned2_++] = leaky_of(z) - anchors_.slope2[at] * z;
    }
    return doubts >= 0;
  }

  // shifted returns far of the second layer after the sign changes in the first layer.
  const T *shifted(int64_t r) {
    std::fill(shifted_.begin(), shifted_.end(), T(0));
    for (int64_t k = 0; k < turned1_; k++) axpy(shifted_.data(), w2t_ + k_[k] * d2_, change1_[k], d2_);
    const T *far = far2_ + r * runs2_, *z = anchors_.hidden2 + r * d2_;
#pragma omp simd
    for (int64_t j = 0; j < d2_; j++) shifted_[j] = far[j] + (z[j] > 0 ? shifted_[j] : -shifted_[j]);
    std::copy(far + d2_, far + runs2_, shifted_.begin() + d2_);
    return shifted_.data();
  }

  // gradients2 sets row_ to the gradients of the doubtful units of the second layer on the
  // piece of anchor r, W1ᵀ(σ1 ⊙ W2_j). A gradient costs as much as a pair and is cached, which
  // pays if the pairs of many graphs use it. gradients2 returns false if there are few graphs,
  // or if the cache is full.
  bool gradients2(int64_t r, int64_t doubts) {
    if (place_.empty()) return false;
    int64_t missing = 0, units[kDoubts];
    T *to[kDoubts];
    for (int64_t i = 0; i < doubts; i++) {
      int32_t &place = place_[static_cast<size_t>(r * d2_ + doubt_[i])];
      if (place < 0) {
        if (cached_ * d_ > kCached) return make(r, units, missing, to), false;
        if (cached_ % kRows == 0) rows_.emplace_back(new T[static_cast<size_t>(kRows * d_)]);
        place = static_cast<int32_t>(cached_++);
        units[missing] = doubt_[i];
        to[missing++] = cached(place);
      }
      row_[i] = cached(place);
    }
    make(r, units, missing, to);
    return true;
  }

  T *cached(int64_t place) const { return rows_[static_cast<size_t>(place / kRows)].get() + place % kRows * d_; }

  // choose lists the units of the first layer with the rarer slope at anchor r. The gradients
  // without slopes are precomputed, so that a sum over the listed units is sufficient.
  void choose(int64_t r) {
    if (chosen_ == r) return;
    chosen_ = r;
    const T *slope = anchors_.slope1 + r * d1_;
    const auto active = std::count(slope, slope + d1_, T(1));
    const bool few = 2 * active <= d1_;
    share_ = few ? T(kLeak) : T(1);
    part_ = (few ? 1 : -1) * T(1 - kLeak);
    list_.clear();
    for (int64_t k = 0; k < d1_; k++)
      if ((slope[k] == 1) == few) list_.push_back(static_cast<int32_t>(k));
  }

  // make computes n of these gradients.
  void make(int64_t r, const int64_t *units, int64_t n, T *const *to) {
    if (n > 0) choose(r);
    const auto listed = static_cast<int64_t>(list_.size());
    for (int64_t i = 0; i < n; i += 4) {
      T *y[4];
      for (int64_t c = 0; c < 4; c++) {
        const bool more = i + c < n;
        y[c] = more ? to[i + c] : spare_.data();
        const T *w = w2_ + units[more ? i + c : i] * d1_;
        for (int64_t k = 0; k < listed; k++) fours_[4 * k + c] = part_ * w[list_[k]];
      }
      weighted_fours(w1_, list_.data(), fours_.data(), listed, d_, y);
      for (int64_t c = i; c < std::min(n, i + 4); c++) axpy(to[c], w21_ + units[c] * d_, share_, d_);
    }
  }

  static constexpr int64_t kCached = int64_t{1} << 22;  // numbers: 16 MB
  static constexpr int64_t kRows = 256;                 // allocated together, because threads wait for each other in allocations

  const int64_t d_, d1_, d2_;
  const Anchors<T> anchors_;
  const T *axes_, *along1_, *along2_, *far1_, *far2_, *reach1_, *reach2_;
  const int64_t m_, runs1_, runs2_;  // number of axes; number of units of both layers, padded to whole runs
  T t_[kAxes], rest_ = 0;            // δ along the axes, and the length of the rest of it
  std::vector<T> shifted_;
  const T *w1_, *w2_, *w2t_, *w21_, *w3_;
  std::vector<T> delta_, spare_, fours_;
  std::vector<int32_t> place_;  // of a gradient in rows_, or −1
  std::vector<int32_t> list_;  // units of the first layer; see choose
  T share_ = 0, part_ = 0;
  int64_t chosen_ = -1, cached_ = 0;
  std::vector<std::unique_ptr<T[]>> rows_;  // [kRows, d]
  int64_t turned1_ = 0, turned2_ = 0, k_[kDoubts], j_[kDoubts];
  int32_t doubt_[kDoubts];
  const T *row_[kDoubts];
  T moved_[kDoubts];
  T change1_[kDoubts], change2_[kDoubts];
};

}  // namespace pacia
