// The messages of GNN-FiLM before their activation, and their sums at atoms. Each message is a
// row: first the E bonds, in the graph's order, then a self loop of each atom.
//
//   z = γ ∘ x + β    x of the bond's source, [γ | β] of its target, both for the bond's type
//
// Legend: A atoms, E bonds counted in both directions, n molecules, T bond types, d
// width.
#pragma once

#include <tuple>

#include "core/autograd.hh"
#include "core/graph.hh"
#include "core/owners.hh"
#include "product/vector.hh"

namespace pacia {

namespace {

struct Bonds {
  Tensor rowptr;  // [A+1] int32: the bonds into atom v are rowptr[v]..rowptr[v+1]
  Tensor col;     // [E] int32: their other ends
  Tensor code;    // [E] uint8: type·kDirections + direction
  Tensor mol;     // [n+1] int32: atoms of each molecule

  auto fields() { return std::tie(rowptr, col, code, mol); }
};

// modulated returns z [E + A, d] from x [A, T+1, d] and by = [γ | β] [A, T+1, 2d]. The last
// type is that of self loops.
inline Tensor modulated(Plain, const Tensor &x, const Tensor &by, const Bonds &g) {
  const int64_t A = x.size(0), kinds = x.size(1);
  auto type = index(g.code).div(kDirections, "floor");
  // Padding belongs to no atom; its rows are not used.
  auto row = [&](const Tensor &atom) { return atom.clamp_max(A - 1) * kinds + type; };
  auto to = by.flatten(0, 1).index_select(0, row(owners(g.rowptr, g.col.size(0)))).chunk(2, 1);
  auto from = x.flatten(0, 1).index_select(0, row(index(g.col)));
  auto self = by.select(1, kinds - 1).chunk(2, 1);
  return at::cat({to[0] * from + to[1], self[0] * x.select(1, kinds - 1) + self[1]});
}

// arrived [A, d] returns the sum of each atom's messages y [E + A, d].
inline Tensor arrived(Plain, const Tensor &y, const Bonds &g) {
  const int64_t E = g.col.size(0), A = y.size(0) - E;
  return added(y.slice(0, 0, E), owners(g.rowptr, E), A) + y.slice(0, E);
}

template <class T>
PACIA_INLINE void modulate_loop(const T *x, const T *by, T *z, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) z[i] = by[i] * x[i] + by[d + i];
}
PACIA_SIMD void modulate(const float *x, const float *by, float *z, int64_t d) { modulate_loop(x, by, z, d); }
PACIA_SIMD void modulate(const double *x, const double *by, double *z, int64_t d) { modulate_loop(x, by, z, d); }

// modulate_back adds the contributions of the gradient g of z to dx and dby.
template <class T>
PACIA_INLINE void modulate_back_loop(const T *g, const T *x, const T *by, T *dx, T *dby, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    dx[i] += g[i] * by[i];
    dby[i] += g[i] * x[i];
    dby[d + i] += g[i];
  }
}
PACIA_SIMD void modulate_back(const float *g, const float *x, const float *by, float *dx, float *dby, int64_t d) {
  modulate_back_loop(g, x, by, dx, dby, d);
}
PACIA_SIMD void modulate_back(const double *g, const double *x, const double *by, double *dx, double *dby, int64_t d) {
  modulate_back_loop(g, x, by, dx, dby, d);
}

// Incoming iterates over an atom's messages.
class Incoming {
 public:
  Incoming(const Bonds &g, int64_t kinds)
      : rowptr_(ints(g.rowptr)), col_(ints(g.col)), code_(g.code.data_ptr<uint8_t>()), bonds_(g.col.size(0)),
        kinds_(kinds) {}

  // each calls f(message, row of x, row of by) for the messages to atom v.
  template <class F>
  void each(int64_t v, const F &f) const {
    for (int64_t k = rowptr_[v]; k < rowptr_[v + 1]; k++) {
      const int64_t type = code_[k] / kDirections;
      f(k, col_[k] * kinds_ + type, v * kinds_ + type);
    }
    const int64_t self = v * kinds_ + kinds_ - 1;
    f(bonds_ + v, self, self);
  }

 private:
  const int32_t *rowptr_, *col_;
  const uint8_t *code_;
  int64_t bonds_, kinds_;
};

struct ModulateLoops : Function<ModulateLoops> {
  struct Saved {
    Tensor x, by;
    Bonds g;
    auto fields() { return std::tie(x, by, g); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &states, const Tensor &vectors, const Bonds &g) {
    auto x = states.contiguous(), by = vectors.contiguous();
    const int64_t A = x.size(0), d = x.size(2);
    auto z = at::empty({g.col.size(0) + A, d}, x.options());
    const Incoming incoming(g, x.size(1));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "modulate", [&] {
      const auto *px = x.data_ptr<scalar_t>(), *pb = by.data_ptr<scalar_t>();
      auto *pz = z.data_ptr<scalar_t>();
      rows(A, 3 * d, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          incoming.each(v, [&](int64_t k, int64_t from, int64_t to) {
            modulate(px + from * d, pb + to * 2 * d, pz + k * d, d);
          });
      });
    });
    save(ctx, Saved{x, by, g});
    return z;
  }

  // Molecules do not share atoms, so that each thread has its own rows.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = grads[0].contiguous(), dx = at::zeros_like(s.x), dby = at::zeros_like(s.by);
    const int64_t d = s.x.size(2), n = s.g.mol.size(0) - 1;
    const int32_t *atoms = ints(s.g.mol);
    const Incoming incoming(s.g, s.x.size(1));
    AT_DISPATCH_FLOATING_TYPES(s.x.scalar_type(), "modulate_back", [&] {
      const auto *pg = g.data_ptr<scalar_t>(), *px = s.x.data_ptr<scalar_t>(), *pb = s.by.data_ptr<scalar_t>();
      auto *to_x = dx.data_ptr<scalar_t>(), *to_by = dby.data_ptr<scalar_t>();
      rows(n, 6 * g.numel() / std::max<int64_t>(1, n), [&](int64_t begin, int64_t end) {
        for (int64_t v = atoms[begin]; v < atoms[end]; v++)
          incoming.each(v, [&](int64_t k, int64_t from, int64_t to) {
            modulate_back(pg + k * d, px + from * d, pb + to * 2 * d, to_x + from * d, to_by + to * 2 * d, d);
          });
      });
    });
    return {dx, dby, Tensor()};
  }
};

struct ArriveLoops : Function<ArriveLoops> {
  static Tensor forward(AutogradContext *ctx, const Tensor &messages, const Bonds &g) {
    auto y = messages.contiguous();
    const int64_t A = y.size(0) - g.col.size(0), d = y.size(1);
    auto sum = at::zeros({A, d}, y.options());
    visit(y, sum, g, [d](const auto *message, auto *atom) { add(atom, message, d); });
    save(ctx, g);
    return sum;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto g = saved<Bonds>(ctx);
    auto of_atom = grads[0].contiguous();
    const int64_t A = of_atom.size(0), d = of_atom.size(1);
    auto dy = at::empty({g.col.size(0) + A, d}, of_atom.options());
    visit(dy, of_atom, g, [d](auto *message, const auto *atom) { std::copy_n(atom, d, message); });
    return {dy, Tensor()};
  }

 private:
  // visit calls f with each row of messages and the row of its target atom.
  template <class F>
  static void visit(const Tensor &messages, const Tensor &atoms, const Bonds &g, const F &f) {
    const int64_t d = atoms.size(1);
    const Incoming incoming(g, 1);
    AT_DISPATCH_FLOATING_TYPES(atoms.scalar_type(), "arrive", [&] {
      auto *of_message = messages.data_ptr<scalar_t>(), *of_atom = atoms.data_ptr<scalar_t>();
      rows(atoms.size(0), 3 * d, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          incoming.each(v, [&](int64_t k, int64_t, int64_t) { f(of_message + k * d, of_atom + v * d); });
      });
    });
  }
};

inline Tensor modulated(Loops, const Tensor &x, const Tensor &by, const Bonds &g) {
  return ModulateLoops::apply(x, by, g);
}
inline Tensor arrived(Loops, const Tensor &y, const Bonds &g) { return ArriveLoops::apply(y, g); }

// On a GPU, the plain forms are used.
inline Tensor modulated(Kernels, const Tensor &x, const Tensor &by, const Bonds &g) {
  return modulated(Plain{}, x, by, g);
}
inline Tensor arrived(Kernels, const Tensor &y, const Bonds &g) { return arrived(Plain{}, y, g); }

}  // namespace

}  // namespace pacia
