// Pooling, and jumping knowledge (Xu et al. 2018).
//
// Legend: A atoms, R rows, which atoms share, n molecules, d width, L layers.
#include "core/libtorch.hh"

#include "pool.hh"

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/owners.hh"
#include "core/rows.hh"
#include "layers/shared.hh"
#include "segment.hh"

namespace pacia {

namespace {

// PoolLoops: atoms with the same maximum share its gradient.
struct PoolLoops : Function<PoolLoops> {
  struct Saved {
    Tensor mol, row, x, most;
    int64_t form, R;
    auto fields() { return std::tie(mol, row, x, most, form, R); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &mol, const Tensor &row,
                        int64_t form) {
    const int64_t n = mol.size(0) - 1, d = h.size(1);
    auto in = h.contiguous(), out = at::zeros({n, d}, h.options());
    const int32_t *p = ints(mol), *row_of = row.defined() ? ints(row) : nullptr;
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "pool", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *y = out.data_ptr<scalar_t>();
      rows(n, 16 * d, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++) {
          auto *to = y + m * d;
          for (int32_t v = p[m]; v < p[m + 1]; v++) {
            const auto *of = x + (row_of ? row_of[v] : v) * d;
            if (form != kPoolMax)
              add(to, of, d);
            else if (v == p[m])
              std::copy_n(of, d, to);
            else
              for (int64_t i = 0; i < d; i++) to[i] = of[i] > to[i] || of[i] != of[i] ? of[i] : to[i];
          }
          if (form == kPoolMean)
            for (int64_t i = 0; i < d; i++) to[i] /= static_cast<scalar_t>(p[m + 1] - p[m]);
        }
      });
    });
    const bool max = form == kPoolMax;
    save(ctx, Saved{mol, row, max ? in : Tensor(), max ? out : Tensor(), form, in.size(0)});
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dy = grads[0].contiguous();
    const int64_t form = s.form, d = dy.size(1), n = dy.size(0);
    auto dh = at::empty({s.row.defined() ? s.row.size(0) : s.R, d}, dy.options());
    const int32_t *p = ints(s.mol), *row = s.row.defined() ? ints(s.row) : nullptr;
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "pool_back", [&] {
      const auto *g = dy.data_ptr<scalar_t>();
      const auto *x = s.x.defined() ? s.x.data_ptr<scalar_t>() : nullptr;
      const auto *most = s.x.defined() ? s.most.data_ptr<scalar_t>() : nullptr;
      auto *to = dh.data_ptr<scalar_t>();
      rows(n, 16 * d, [&](int64_t begin, int64_t end) {
        std::vector<scalar_t> share(static_cast<size_t>(d));
        for (int64_t m = begin; m < end; m++) {
          const int64_t first = p[m], last = p[m + 1];
          std::fill(share.begin(), share.end(), form == kPoolMean ? scalar_t(last - first) : scalar_t(1));
          if (form == kPoolMax) std::fill(share.begin(), share.end(), scalar_t(0));
          auto at = [&](int64_t v) { return x + (row ? row[v] : v) * d; };
          for (int64_t v = first; x && v < last; v++)
            for (int64_t i = 0; i < d; i++) share[i] += at(v)[i] == most[m * d + i];
          for (int64_t i = 0; i < d; i++) share[i] = g[m * d + i] / share[i];
          for (int64_t v = first; v < last; v++)
            for (int64_t i = 0; i < d; i++)
              to[v * d + i] = !x || at(v)[i] == most[m * d + i] ? share[i] : scalar_t(0);
        }
      });
    });
    return {row ? collect(dh, s.row, s.R) : dh, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor pool(Plain, const Tensor &h, const Tensor &mol, int64_t form) {
  const int64_t n = mol.size(0) - 1;
  auto owner = owners(mol, h.size(0));
  if (form == kPoolMax) return highest(h, owner, n, -std::numeric_limits<double>::infinity());
  auto sum = added(h, owner, n);
  auto atoms = (index(mol).slice(0, 1) - index(mol).slice(0, 0, -1)).unsqueeze(1);
  return form == kPoolSum ? sum : sum / atoms.to(h.scalar_type());
}

Tensor pool(Loops, const Tensor &h, const Tensor &mol, int64_t form, const Tensor &row) {
  return PoolLoops::apply(h, mol, row, form);
}

// pool_op: inputs h, atom offsets. Integer: the form.
template <class Path>
void pool_op(Args &a) {
  auto h = a.tensor(), mol = a.tensor();
  expect("h", h, {kAny, kAny});
  expect_offsets("molecules", mol, h.size(0));
  a.give(pool(Path{}, h, mol, a.integer()));
}
PACIA_OP_LOOPS("pool", pool_op)

// jump_op: inputs atoms of rows [R] or nothing, the states h⁰ … h^L [A, d]. Integer: 0 for the
// last state, 1 for their sum, 2 for the maximum of each entry, 3 for all joined [R, (L+1)·d].
template <class Path>
void jump_op(Args &a) {
  const auto self = a.tensor();
  auto states = a.tensors();
  const int64_t form = a.integer();
  for (const Tensor &h : states) expect("state", h, {states[0].size(0), states[0].size(1)});
  if (self.defined()) expect_below("atoms of rows", self, states[0].size(0));
  for (Tensor &h : states) h = shared(Path{}, h, self);
  switch (form) {
    case 0: return a.give(states.back());
    case 1: return a.give(at::stack(states).sum(0));
    case 2: return a.give(at::stack(states).amax(0));
    case 3: return a.give(at::cat(states, 1));
  }
  throw std::invalid_argument("form " + std::to_string(form) + " of jumping knowledge is unknown");
}
PACIA_OP_LOOPS("jumping knowledge", jump_op)

// middle_op gives the mean of its inputs, two states of the same shape.
template <class Path>
void middle_op(Args &a) {
  auto h = a.tensor(), earlier = a.tensor();
  expect("h", h, {kAny, kAny});
  expect("the earlier state", earlier, h.sizes());
  a.give((h + earlier) / 2);
}
PACIA_OP("mean of states", middle_op)

}  // namespace pacia
