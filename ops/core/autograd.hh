// Functions with a backward pass of their own, and what they save for it.
#pragma once

#include <torch/csrc/autograd/custom_function.h>

#include <tuple>

#include "base.hh"

namespace pacia {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What a function saves is a struct whose fields() are tensors, numbers of at
// most 64 bits, or structs with fields in turn:
//
//   struct Saved {
//     Tensor h;
//     double p;
//     auto fields() { return std::tie(h, p); }
//   };
//
// save keeps one, and saved<Saved>(ctx) returns it. A number is kept as its bits.
struct Packer {
  variable_list tensors;
  std::vector<int64_t> numbers;

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
  ctx->save_for_backward(std::move(p.tensors));
  if (!p.numbers.empty()) ctx->saved_data["numbers"] = std::move(p.numbers);
}

template <class S>
S saved(AutogradContext *ctx) {
  Unpacker u{ctx->get_saved_variables(), {}};
  const auto numbers = ctx->saved_data.find("numbers");
  if (numbers != ctx->saved_data.end()) u.numbers = numbers->second.toIntVector();
  S s;
  u.put(s);
  return s;
}

}  // namespace pacia
