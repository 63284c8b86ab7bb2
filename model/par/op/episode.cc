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

// add adds to a sum. A gradient is undefined if nothing depends on its input.
void add(Tensor &to, const Tensor &more) {
  if (more.defined()) to = to.defined() ? to + more : more;
}

void add(std::vector<Tensor> &to, const std::vector<Tensor> &more, double factor) {
  for (size_t i = 0; i < more.size(); i++)
    if (more[i].defined()) add(to[i], more[i] * factor);
}

// entropy returns the mean cross entropy of logits [..., 2], given whether each is active [...].
Tensor entropy(const Tensor &logits, const Tensor &active) {
  auto p = at::log_softmax(logits, -1);
  return -at::where(active, p.select(-1, 1), p.select(-1, 0)).mean();
}

}  // namespace

Episode::Episode(const Tensor &support, const Tensor &query, const Tensor &labels,
                 const std::vector<Tensor> &layers, int64_t K, const Steps &steps, const Rates &rates)
    : S_(leaf(support)), labels_(labels.ne(0)), weights_(leaves_of(layers)), N_(support.size(0)),
      M_(query.defined() ? query.size(0) : 0), K_(std::min(K, N_ - (M_ == 0))), steps_(steps), rates_(rates) {
  if (query.defined()) X_ = leaf(query);
  for (size_t i = 0; i + Layer::size <= weights_.size(); i += Layer::size)
    layers_.push_back({{weights_[i], {}, weights_[i + 1], {}, weights_[i + 2], weights_[i + 3]}, weights_[i + 4]});
}

std::vector<Part> Episode::parts(int64_t pass) const {
  const int64_t most = std::max<int64_t>(1, steps_.at_once / (N_ * (N_ + 1) / 2));
  std::vector<Part> list;
  for (int64_t from = 0; from < std::max<int64_t>(M_, 1); from += most)
    list.push_back({from, std::min(M_, from + most), static_cast<uint64_t>(pass)});
  return list;
}

// A part uses the masks of its first query, which belongs to no other part.
Answers Episode::run(const std::vector<Tensor> &phi, const Part &p) const {
  const auto g = Graphs::of(N_, p.to - p.from, S_.device());
  const auto query = M_ > 0 ? X_.slice(0, p.from, p.to) : X_;
  return answers(S_, query, labels_, *g, Adapted(phi), layers_, K_,
                 rates_.at((p.pass << 20) + static_cast<uint64_t>(p.from)));
}

Losses Episode::inner(const std::vector<Tensor> &phi, const Part &p, bool averaged) const {
  const auto [logits, adjacency] = run(phi, p);
  auto of_support = logits.slice(1, 0, N_);
  auto same = labels_.unsqueeze(0).eq(labels_.unsqueeze(1)).to(S_.scalar_type());
  same.fill_diagonal_(0);
  auto a = adjacency.slice(1, 0, N_).slice(2, 0, N_);
  auto apart = (averaged ? a.mean(0) : a) - same;
  auto active = labels_.expand({of_support.size(0), N_});
  const double share = M_ > 0 ? static_cast<double>(p.to - p.from) / static_cast<double>(M_) : 1;
  return {entropy(of_support, active) * share, (apart * apart).mean() * share};
}

Losses Episode::outer(const std::vector<Tensor> &phi, const Tensor &asked, const Part &p) const {
  const auto [logits, adjacency] = run(phi, p);
  auto active = asked.slice(0, p.from, p.to).ne(0);
  auto same = active.unsqueeze(1).eq(labels_).to(S_.scalar_type());
  auto apart = adjacency.select(1, N_).slice(1, 0, N_) - same;
  const double share = static_cast<double>(p.to - p.from) / static_cast<double>(M_);
  return {entropy(logits.select(1, N_), active) * share, (apart * apart).mean() * share};
}

std::vector<std::vector<Tensor>> Episode::adapt(const std::vector<Tensor> &phi, bool averaged, Losses *first,
                                                std::vector<std::vector<Tensor>> *slopes) const {
  std::vector<std::vector<Tensor>> path{leaves_of(phi)};
  for (int64_t t = 0; t < steps_.T; t++) {
    auto list = parts(t);
    if (averaged) list = {{0, M_, static_cast<uint64_t>(t)}};  // the mean is over all graphs
    const bool keep = slopes && list.size() == 1;
    std::vector<Tensor> sum(phi.size());
    for (const auto &p : list) {
      const auto l = inner(path.back(), p, averaged);
      if (first && t == 0) {
        add(first->entropy, l.entropy.detach());
        add(first->adjacency, l.adjacency.detach());
      }
      auto g = derivatives(l.sum(), path.back(), keep);
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

// gradients propagates back from v_T = ∂L_Q/∂φ_T by v_t = v_(t+1) − α (∂²L_S/∂φ∂φ) v_(t+1) at
// φ_t. The other inputs get −α (∂²L_S/∂ψ∂φ) v_(t+1) from each step. Both are derivatives of the
// product of v with the gradient of L_S.
Episode::Gradients Episode::gradients(const std::vector<Tensor> &phi, const Tensor &asked) const {
  std::vector<std::vector<Tensor>> slopes;
  const auto path = adapt(phi, false, nullptr, steps_.second ? &slopes : nullptr);
  Gradients out;
  out.by.resize(2 + weights_.size() + phi.size());
  for (const auto &p : parts(steps_.T)) {
    const auto l = outer(path.back(), asked, p).sum();
    add(out.loss, l.detach());
    add(out.by, derivatives(l, leaves(path.back()), false), 1);
  }
  const auto begin = static_cast<std::ptrdiff_t>(2 + weights_.size());
  for (int64_t t = steps_.T - 1; steps_.second && t >= 0; t--) {
    const std::vector<Tensor> v(out.by.begin() + begin, out.by.end());
    const auto &at = path[static_cast<size_t>(t)];
    const auto list = parts(t);
    for (const auto &p : list) {
      const bool kept = list.size() == 1;
      const auto g = kept ? slopes[static_cast<size_t>(t)] : derivatives(inner(at, p, false).sum(), at, true);
      Tensor product;
      for (size_t i = 0; i < v.size(); i++)
        if (v[i].defined() && g[i].defined()) add(product, (g[i] * v[i]).sum());
      if (product.defined() && product.requires_grad())
        add(out.by, derivatives(product, leaves(at), false), -steps_.rate);
    }
  }
  return out;
}

}  // namespace pacia
