// Inner steps on one task's φ, and the gradients of the outer loss through them.
//
// Legend: φ_t after t steps, T steps with rate α, v_t the outer loss's gradient with respect to
// φ_t; ψ the inputs that no step adapts: the relation layers, and the vectors S [N, d] and X
// [M, d].
#pragma once

#include "head.hh"

namespace pacia {

// Steps has the options of the adaptation of φ.
struct Steps {
  int64_t T;
  double rate;
  bool second;     // the gradient is propagated through the steps
  int64_t at_once; // number of pairs that are compared at a time
};

// Losses has the losses of a step.
struct Losses {
  Tensor entropy, adjacency;
  Tensor sum() const { return entropy + adjacency; }
};

// Part is the graphs of queries [from, to), with the dropout masks of one pass.
struct Part {
  int64_t from, to;
  uint64_t pass;
};

// Episode is a task, with its queries in the graphs.
class Episode {
 public:
  Episode(const Tensor &support, const Tensor &query, const Tensor &labels, const std::vector<Tensor> &layers,
          int64_t K, const Steps &steps, const Rates &rates);

  // inner returns the loss of the support in a part's graphs, weighted by its share of the mean
  // over all graphs. If averaged, the mean adjacency over the graphs is compared with the
  // labels. Otherwise each adjacency is compared, and the results are averaged.
  Losses inner(const std::vector<Tensor> &phi, const Part &p, bool averaged) const;
  // outer returns the losses of the queries with labels `asked` [M].
  Losses outer(const std::vector<Tensor> &phi, const Tensor &asked, const Part &p) const;

  // adapt makes the steps and returns φ_0 to φ_T. If first is not null, it gets the loss before
  // the first step. For a task in one part, slopes gets the gradients with their graphs.
  std::vector<std::vector<Tensor>> adapt(const std::vector<Tensor> &phi, bool averaged,
                                         Losses *first, std::vector<std::vector<Tensor>> *slopes) const;

  // Gradients of a loss with respect to S and X, the layers' weights, and φ.
  struct Gradients {
    Tensor loss;
    std::vector<Tensor> by;  // S, X, then the layers, then φ
  };
  Gradients gradients(const std::vector<Tensor> &phi, const Tensor &asked) const;

 private:
  Answers run(const std::vector<Tensor> &phi, const Part &p) const;
  // parts returns the groups of queries that are computed at a time in a pass.
  std::vector<Part> parts(int64_t pass) const;
  std::vector<Tensor> leaves(const std::vector<Tensor> &phi) const;

  Tensor S_, X_, labels_;
  std::vector<Tensor> weights_;
  std::vector<Layer> layers_;
  int64_t N_, M_, K_;
  Steps steps_;
  Rates rates_;
};

}  // namespace pacia
