// Functions with their own backward pass, and the tensors and numbers that they save.
#pragma once

#include <functional>
#include <tuple>

#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "base.hh"

namespace pacia {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A function saves a struct. Its fields() are tensors, numbers of at most 64 bits, or structs
// with fields() themselves:
//
//   struct Saved {
//     Tensor h;
//     double p;
//     auto fields() { return std::tie(h, p); }
//   };
//
// save stores such a struct, and saved<Saved>(ctx) returns it. A number is stored as its bits.
struct Packer {
  variable_list tensors;
  std::vector<int64_t> numbers;

  void leave(AutogradContext *ctx);
  void take(Tensor &t) { tensors.push_back(t); }
  template <class T>
  void take(T &x) {
    if constexpr (std::is_scalar_v<T>) {
      static_assert(sizeof(T) <= sizeof(int64_t));
      int64_t bits = 0;
      std::memcpy(&bits, &x, sizeof x);
      numbers.push_back(bits);
    } else {
      std::apply([&](auto &...each) { (take(each), ...); }, x.fields());
    }
  }
};

struct Unpacker {
  variable_list tensors;
  std::vector<int64_t> numbers;
  size_t tensor = 0, number = 0;

  explicit Unpacker(AutogradContext *ctx);

  void put(Tensor &t) { t = tensors[tensor++]; }
  template <class T>
  void put(T &x) {
    if constexpr (std::is_scalar_v<T>)
      std::memcpy(&x, &numbers[number++], sizeof x);
    else
      std::apply([&](auto &...each) { (put(each), ...); }, x.fields());
  }
};

template <class S>
void save(AutogradContext *ctx, S s) {
  Packer p;
  p.take(s);
  p.leave(ctx);
}

template <class S>
S saved(AutogradContext *ctx) {
  Unpacker u(ctx);
  S s;
  u.put(s);
  return s;
}

// Inputs lists the arguments of a function. Arguments that are not tensors are undefined
// tensors in the list.
using Inputs = variable_list;
inline void list(Inputs &to, const Tensor &t) { to.push_back(t); }
inline void list(Inputs &to, const Optional &t) { to.push_back(t.value_or(Tensor())); }
inline void list(Inputs &to, at::TensorList ts) { to.insert(to.end(), ts.begin(), ts.end()); }
template <class A>
void list(Inputs &to, const A &) {
  to.emplace_back();
}

using Forward = std::function<variable_list(AutogradContext *)>;
using Backward = variable_list (*)(AutogradContext *, variable_list);

// record runs forward. If gradients are needed, it creates a node with the function backward,
// which returns a gradient or an undefined tensor for each input.
variable_list record(const Inputs &inputs, const Forward &forward, Backward backward);

// made_by returns the context of the function with this backward pass if t is its result, and
// otherwise null.
AutogradContext *made_by(const Tensor &t, Backward backward);

// Recording records gradients of the operations in its scope, also in the forward pass of a
// function, whose operations otherwise bypass autograd.
struct Recording {
  c10::AutoGradMode on{true};
  c10::impl::ForceDispatchKeyGuard keys{with_autograd()};

 private:
  static c10::impl::LocalDispatchKeySet with_autograd() {
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    keys.excluded_ = keys.excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
    return keys;
  }
};

// Function is like torch::autograd::Function, but its node is compiled only once for all functions.
template <class F>
struct Function {
  template <class... A>
  static auto apply(const A &...a) {
    Inputs inputs;
    (list(inputs, a), ...);
    auto forward = [&](AutogradContext *ctx) { return F::forward(ctx, a...); };
    using Output = decltype(forward(nullptr));
    if constexpr (std::is_same_v<Output, Tensor>)
      return record(inputs, [&](AutogradContext *ctx) { return variable_list{forward(ctx)}; }, F::backward)[0];
    else
      return record(inputs, forward, F::backward);
  }
};

}  // namespace pacia
