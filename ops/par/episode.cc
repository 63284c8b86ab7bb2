// See episode.hh.
#include "core/libtorch.hh"

#include "episode.hh"

#include <ATen/ops/log_softmax.h>
#include <torch/csrc/autograd/autograd.h>

namespace pacia {

namespace {

Tensor leaf(const Tensor &t) { return t.detach().set_requires_grad(true); }

std::vector<Tensor> leaves_of(const std::vector<Tensor> &list) {
  std::vector<Tensor> out;
  for (const auto &t : list) out.push_back(leaf(t));
  return out;
}

std::vector<Tensor> derivatives(const Tensor &of, const std::vector<Tensor> &by, bool again) {
  return torch::autograd::grad({of}, by, {}, c10::nullopt, again, /*allow_unused=*/true);
}

// add is to + factor·more; what nothing depends on is undefined.
void add(std::vector<Tensor> &to, const std::vector<Tensor> &more, double factor) {
  for (size_t i = 0; i < more.size(); i++)
    if (more[i].defined()) to[i] = to[i].defined() ? to[i] + more[i] * factor : more[i] * factor;
}

// entropy is the mean cross entropy of logits [..., 2] and whether each is active [...].
Tensor entropy(const Tensor &logits, const Tensor &active) {
  auto p = at::log_softmax(logits, -1);
  return -at::where(active, p.select(-1, 1), p.select(-1, 0)).mean();
}

}  // namespace

Episode::Episode(const Tensor &support, const Tensor &query, const Tensor &labels, const std::vector<Tensor> &layers,
                 int64_t K, const Steps &steps, const Rates &rates)
    : S_(leaf(support)), labels_(labels.ne(0)), weights_(leaves_of(layers)), N_(support.size(0)),
      M_(query.defined() ? query.size(0) : 0), K_(std::min(K, N_ - (M_ == 0))), steps_(steps), rates_(rates) {
  if (query.defined()) X_ = leaf(query);
  for (size_t i = 0; i + Layer::size <= weights_.size(); i += Layer::size)
    layers_.push_back({weights_[i], weights_[i + 1], weights_[i + 2], weights_[i + 3], weights_[i + 4]});
}

std::vector<std::pair<int64_t, int64_t>> Episode::parts() const {
  const int64_t most = std::max<int64_t>(1, steps_.at_once / (N_ * (N_ + 1) / 2));
  std::vector<std::pair<int64_t, int64_t>> list;
  for (int64_t from = 0; from < std::max<int64_t>(M_, 1); from += most) list.emplace_back(from, std::min(M_, from + most));
  return list;
}

// The masks of a part are those of its first query, of which no other part has any.
Answers Episode::run(const std::vector<Tensor> &phi, int64_t from, int64_t to, uint64_t pass) const {
  const Graphs g(N_, to - from, S_.options());
  return answers(S_, M_ > 0 ? X_.slice(0, from, to) : X_, labels_, g, Adapted(phi), layers_, K_,
                 rates_.at((pass << 20) + static_cast<uint64_t>(from)));
}

Losses Episode::inner(const std::vector<Tensor> &phi, int64_t from, int64_t to, uint64_t pass, bool averaged) const {
  const auto [logits, adjacency] = run(phi, from, to, pass);
  auto of_support = logits.slice(1, 0, N_);
  auto same = labels_.unsqueeze(0).eq(labels_.unsqueeze(1)).to(S_.scalar_type());
  same.fill_diagonal_(0);
  auto a = adjacency.slice(1, 0, N_).slice(2, 0, N_);
  auto apart = (averaged ? a.mean(0) : a) - same;
  const double share = M_ > 0 ? static_cast<double>(to - from) / static_cast<double>(M_) : 1;
  return {entropy(of_support, labels_.expand({of_support.size(0), N_})) * share, (apart * apart).mean() * share};
}

Losses Episode::outer(const std::vector<Tensor> &phi, const Tensor &asked, int64_t from, int64_t to, uint64_t pass) const {
  const auto [logits, adjacency] = run(phi, from, to, pass);
  auto active = asked.slice(0, from, to).ne(0);
  auto apart = adjacency.select(1, N_).slice(1, 0, N_) - active.unsqueeze(1).eq(labels_).to(S_.scalar_type());
  const double share = static_cast<double>(to - from) / static_cast<double>(M_);
  return {entropy(logits.select(1, N_), active) * share, (apart * apart).mean() * share};
}

std::vector<Tensor> Episode::slope(const std::vector<Tensor> &phi, int64_t from, int64_t to, uint64_t pass, bool averaged,
                                   bool again, Losses *losses) const {
  const auto l = inner(phi, from, to, pass, averaged);
  if (losses) {
    losses->entropy = losses->entropy.defined() ? losses->entropy + l.entropy.detach() : l.entropy.detach();
    losses->adjacency = losses->adjacency.defined() ? losses->adjacency + l.adjacency.detach() : l.adjacency.detach();
  }
  return derivatives(l.sum(), phi, again);
}

std::vector<std::vector<Tensor>> Episode::adapt(const std::vector<Tensor> &phi, bool averaged,
                                                Losses *first, std::vector<std::vector<Tensor>> *slopes) const {
  auto list = parts();
  if (averaged) list = {{0, M_}};  // the mean is over all graphs
  std::vector<std::vector<Tensor>> path{leaves_of(phi)};
  for (int64_t t = 0; t < steps_.T; t++) {
    const bool keep = slopes && list.size() == 1;
    std::vector<Tensor> sum(phi.size());
    for (const auto &[from, to] : list) {
      auto g = slope(path.back(), from, to, static_cast<uint64_t>(t), averaged, keep, t == 0 ? first : nullptr);
      if (keep) slopes->push_back(g);
      for (auto &x : g)
        if (x.defined()) x = x.detach();
      add(sum, g, 1);
    }
    std::vector<Tensor> next;
    for (size_t i = 0; i < phi.size(); i++) {
      const auto before = path.back()[i].detach();
      next.push_back(leaf(sum[i].defined() ? before - sum[i] * steps_.rate : before));
    }
    path.push_back(next);
  }
  return path;
}

std::vector<Tensor> Episode::leaves(const std::vector<Tensor> &phi) const {
  std::vector<Tensor> all{S_, X_};
  all.insert(all.end(), weights_.begin(), weights_.end());
  all.insert(all.end(), phi.begin(), phi.end());
  return all;
}

// gradients goes back from v_T = ∂L_Q/∂φ_T by v_t = v_(t+1) − α (∂²L_S/∂φ∂φ) v_(t+1) at
// φ_t; the others get −α (∂²L_S/∂ψ∂φ) v_(t+1) of each step. Both are derivatives of the
// product of v with L_S's gradient.
Episode::Gradients Episode::gradients(const std::vector<Tensor> &phi, const Tensor &asked) const {
  std::vector<std::vector<Tensor>> slopes;
  const auto path = adapt(phi, false, nullptr, steps_.second ? &slopes : nullptr);
  Gradients out;
  out.by.resize(2 + weights_.size() + phi.size());
  for (const auto &[from, to] : parts()) {
    const auto l = outer(path.back(), asked, from, to, static_cast<uint64_t>(steps_.T)).sum();
    out.loss = out.loss.defined() ? out.loss + l.detach() : l.detach();
    add(out.by, derivatives(l, leaves(path.back()), false), 1);
  }
  const auto begin = static_cast<std::ptrdiff_t>(2 + weights_.size());
  for (int64_t t = steps_.T - 1; steps_.second && t >= 0; t--) {
    const std::vector<Tensor> v(out.by.begin() + begin, out.by.end());
    const auto &at = path[static_cast<size_t>(t)];
    const auto list = parts();
    for (const auto &[from, to] : list) {
      const auto g = list.size() == 1 ? slopes[static_cast<size_t>(t)] : slope(at, from, to, static_cast<uint64_t>(t), false, true, nullptr);
      Tensor product;
      for (size_t i = 0; i < v.size(); i++)
        if (v[i].defined() && g[i].defined()) {
          auto p = (g[i] * v[i]).sum();
          product = product.defined() ? product + p : p;
        }
      if (product.defined() && product.requires_grad()) add(out.by, derivatives(product, leaves(at), false), -steps_.rate);
    }
  }
  return out;
}

}  // namespace pacia
