// Steps 1 and 2 of a block of PNA up to the linear layer W [all towers] + b, as
// one operation; block.hh has the equations.
//
// The three scalers of an atom only depend on its number of bonds. So all atoms with n bonds
// use the same matrix, W_n = W⁰ + W¹·log(n+1)/δ + W²·δ/(log(n+1) + 1e-7). It has a third of the
// columns of W, and aggregates are never multiplied by the scalers.
//
// Legend: A atoms, R rows, one for each atom with a computed state, H towers of width e,
// d = H·e, T bond types, p width of an aggregate, x [R, H·4p] the aggregates of the rows,
// sorted by their number of bonds.
#include "core/libtorch.hh"

#include <ATen/ops/add.h>

#include "chunk.hh"
#include "core/autograd.hh"
#include "core/rows.hh"
#include "product/product.hh"

namespace pacia {

namespace {

// ByBonds has the rows in the order of their number of bonds.
struct ByBonds {
  Tensor place, row;            // [R] int32: place of each row, and row of each place
  std::vector<int32_t> of_atom;  // [A] place of each atom's own row, or −1
  std::vector<int64_t> bonds;   // the numbers of bonds that occur, ascending
  std::vector<int64_t> first;   // their places: first[i]..first[i+1]

  explicit ByBonds(const PnaGraph &g) : of_atom(static_cast<size_t>(g.rowptr.size(0) - 1), -1) {
    const int64_t R = g.self.defined() ? g.self.size(0) : g.rowptr.size(0) - 1;
    const int32_t *ptr = ints(g.rowptr), *self = g.self.defined() ? ints(g.self) : nullptr;
    auto atom = [&](int64_t r) { return self ? self[r] : static_cast<int32_t>(r); };
    place = at::empty({R}, g.rowptr.options());
    row = at::empty({R}, g.rowptr.options());
    std::vector<std::vector<int32_t>> of;
    for (int64_t r = 0; r < R; r++) {
      const auto n = static_cast<size_t>(ptr[atom(r) + 1] - ptr[atom(r)]);
      if (n >= of.size()) of.resize(n + 1);
      of[n].push_back(static_cast<int32_t>(r));
    }
    auto *to = place.data_ptr<int32_t>(), *from = row.data_ptr<int32_t>();
    int32_t next = 0;
    for (size_t n = 0; n < of.size(); n++) {
      if (of[n].empty()) continue;
      bonds.push_back(static_cast<int64_t>(n));
      first.push_back(next);
      for (int32_t r : of[n]) {
        from[next] = r;
        to[r] = of_atom[static_cast<size_t>(atom(r))] = next;
        next++;
      }
    }
    first.push_back(next);
  }

  // each calls f(n, first place, last place) for the rows with n > 0 bonds. The aggregates of
  // the other rows are 0.
  template <class F>
  void each(const F &f) const {
    for (size_t i = 0; i < bonds.size(); i++)
      if (bonds[i] > 0) f(bonds[i], first[i], first[i + 1]);
  }
};

// stacked converts w [H, T, 3p, 2e] to [H, T, 6p, e], with the source's part first; unstacked
// is its inverse.
Tensor stacked(const PnaTowers &t) {
  auto parts = t.w.detach().view({t.H(), t.types(), 3 * t.p(), 2, t.e()}).transpose(2, 3);
  return parts.reshape({t.H(), t.types(), 6 * t.p(), t.e()});
}
Tensor unstacked(const Tensor &w, const PnaTowers &t) {
  return w.view({t.H(), t.types(), 2, 3 * t.p(), t.e()}).transpose(2, 3).reshape(t.w.sizes());
}

// of_bonds returns W_n [d, H·4p].
Tensor of_bonds(const PnaTowers &t, int64_t n) {
  auto w = t.out.detach().view({-1, t.H(), 3, 4 * t.p()});
  auto [more, less] = pna_scalers(n);
  return at::add(w.select(2, 0), w.select(2, 1), more).add_(w.select(2, 2), less).flatten(1);
}

// panels_of_towers cuts the weights [H, T, 6p, e] of every tower.
template <class T>
std::vector<TowerPanels<T>> panels_of_towers(const Tensor &w, bool back) {
  std::vector<TowerPanels<T>> panels;
  const int64_t types = w.size(1), wide = w.size(2), e = w.size(3);
  for (int64_t k = 0; k < w.size(0); k++)
    panels.emplace_back(w.data_ptr<T>() + k * types * wide * e, types, wide, e, back);
  return panels;
}

// kPnaParts is the number of parts in which the gradients of a tower's weights are summed. It
// does not depend on the number of threads, so that the sums are the same.
constexpr int64_t kPnaParts = 8;

struct TowersLoops : Function<TowersLoops> {
  struct Saved {
    Tensor h, x;
    PnaTowers t;
    PnaGraph g;
    auto fields() { return std::tie(h, x, t, g); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &w, const Tensor &b,
                        const Tensor &out, const Tensor &ob, const PnaGraph &g) {
    const PnaTowers t{w.contiguous(), b.contiguous(), out.contiguous(), ob};
    const ByBonds order(g);
    auto in = h.contiguous(), x = aggregates(in, g, t, order);
    auto y = ob.expand({x.size(0), ob.size(0)}).contiguous();
    order.each([&](int64_t n, int64_t first, int64_t last) {
      times_into(y.slice(0, first, last), x.slice(0, first, last), of_bonds(t, n), true, ob, false);
    });
    save(ctx, Saved{in, x, t, g});
    return spread(y, order.place);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    const PnaTowers &t = s.t;
    const ByBonds order(s.g);
    auto dy = spread(grads[0].contiguous(), order.row), dx = at::empty_like(s.x);
    auto dout = at::zeros_like(t.out), parts = dout.view({-1, t.H(), 3, 4 * t.p()});
    order.each([&](int64_t n, int64_t first, int64_t last) {
      auto of = dy.slice(0, first, last);
      times_into(dx.slice(0, first, last), of, of_bonds(t, n), false, {}, false);
      auto dw = across(of, s.x.slice(0, first, last)).view_as(parts.select(2, 0));
      auto [more, less] = pna_scalers(n);
      parts.select(2, 0).add_(dw);
      parts.select(2, 1).add_(dw, more);
      parts.select(2, 2).add_(dw, less);
    });
    auto [dh, dw, db] = aggregates_back(s.h, s.g, t, order, s.x, dx);
    return {dh, dw, db, dout, dy.sum(0), Tensor()};
  }

  // aggregates returns x.
  static Tensor aggregates(const Tensor &h, const PnaGraph &g, const PnaTowers &t,
                           const ByBonds &order) {
    const int64_t H = t.H(), a = 4 * t.p();
    const auto &place = order.of_atom;
    const auto chunks = pna_chunks(g, place);
    const auto n = static_cast<int64_t>(chunks.size()) - 1;
    auto x = at::empty({order.row.size(0), H * a}, h.options()), w = stacked(t), b = biases(t);
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "pna_aggregates", [&] {
      const auto panels = panels_of_towers<scalar_t>(w, false);
      const auto *bias = b.data_ptr<scalar_t>();
      auto *to = x.data_ptr<scalar_t>();
      at::parallel_for(0, H * n, 1, [&](int64_t begin, int64_t end) {
        TowerChunk<scalar_t> chunk(g, place, t, h);
        for (int64_t i = begin; i < end; i++) {
          const int64_t k = i / n, first = chunks[i % n], last = chunks[i % n + 1];
          chunk.fill(first, last, k, panels[k], bias + k * b.stride(0));
          for (int64_t v = first; v < last; v++)
            if (place[v] >= 0) chunk.aggregate(v - first, to + place[v] * H * a + k * a);
        }
      });
    });
    return x;
  }

  // aggregates_back returns the gradients of h, w and b, from the gradient dx of x.
  static std::tuple<Tensor, Tensor, Tensor> aggregates_back(const Tensor &h, const PnaGraph &g,
                                                            const PnaTowers &t, const ByBonds &order,
                                                            const Tensor &x, const Tensor &dx) {
    const int64_t H = t.H(), a = 4 * t.p();
    const auto &place = order.of_atom;
    const auto chunks = pna_chunks(g, place);
    const auto n = static_cast<int64_t>(chunks.size()) - 1, P = std::min(n, kPnaParts);
    auto w = stacked(t), b = biases(t), dh = at::zeros_like(h);
    auto dw = at::zeros({H, P, t.types(), 6 * t.p(), t.e()}, h.options());
    auto db = at::zeros({H, P, t.types(), 6 * t.p()}, h.options());
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "pna_aggregates_back", [&] {
      const auto panels = panels_of_towers<scalar_t>(w, true);
      const auto *bias = b.data_ptr<scalar_t>(), *of = x.data_ptr<scalar_t>(),
                 *grad = dx.data_ptr<scalar_t>();
      auto *to_w = dw.data_ptr<scalar_t>(), *to_b = db.data_ptr<scalar_t>(),
           *to_h = dh.data_ptr<scalar_t>();
      at::parallel_for(0, H * P, 1, [&](int64_t begin, int64_t end) {
        TowerChunk<scalar_t> chunk(g, place, t, h);
        for (int64_t i = begin; i < end; i++) {
          const int64_t k = i / P, part = i % P;
          for (int64_t c = part * n / P; c < (part + 1) * n / P; c++) {
            chunk.fill(chunks[c], chunks[c + 1], k, panels[k], bias + k * b.stride(0));
            chunk.clear();
            for (int64_t v = chunks[c]; v < chunks[c + 1]; v++) {
              if (place[v] < 0) continue;
              const int64_t at = place[v] * H * a + k * a;
              chunk.aggregate_back(v - chunks[c], of + at, grad + at);
            }
            chunk.finish(k, panels[k], to_w + i * dw.stride(1), to_b + i * db.stride(1), to_h);
          }
        }
      });
    });
    return {dh, unstacked(dw.sum(1), t), db.sum(1).slice(2, 3 * t.p()).contiguous()};
  }

  // biases converts b [H, T, 3p] to [H, T, 6p]: the bias of a message belongs to its target.
  static Tensor biases(const PnaTowers &t) {
    return at::cat({at::zeros_like(t.b), t.b.detach()}, 2);
  }
};

}  // namespace

Tensor towers(Loops, const Tensor &h, const PnaGraph &g, const PnaTowers &t) {
  return TowersLoops::apply(h, t.w, t.b, t.out, t.ob, g);
}

}  // namespace pacia
