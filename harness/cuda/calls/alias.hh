// Tensors of the CPU that alias the memory of the device's tensors. They are made when
// work is run, since work that held a tensor of the device would keep its memory alive.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/stack.h>

#include <optional>
#include <vector>

#include "streams.hh"

namespace standin {

// Alias is the memory and the layout of a tensor.
struct Alias {
  char *at;        // its first element
  size_t bytes;    // from the first to the last element
  std::vector<int64_t> sizes, strides;
  at::ScalarType type;

  explicit Alias(const at::Tensor &t)
      : at(static_cast<char *>(t.data_ptr())), bytes(0), sizes(t.sizes().vec()), strides(t.strides().vec()), type(t.scalar_type()) {
    if (t.numel() == 0) return;
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); i++) last += (sizes[i] - 1) * strides[i];
    bytes = static_cast<size_t>(last + 1) * t.element_size();
  }
  at::Tensor tensor() const { return at::from_blob(at, sizes, strides, at::TensorOptions().dtype(type)); }
  std::vector<Touch> touches() const { return {{at, bytes, Kind::device}}; }
};

// Value is an argument or a result. It holds aliases of the device's tensors, and all other
// values unchanged.
class Value {
 public:
  explicit Value(const c10::IValue &v) {
    if (v.isTensor() && v.toTensor().defined()) {
      take(v.toTensor());
    } else if (v.isTensorList()) {
      list_ = true;
      for (const at::Tensor &t : v.toTensorList()) each_.emplace_back(c10::IValue(t));
    } else if (v.isList() && !v.isIntList() && !v.isDoubleList() && !v.isBoolList()) {
      optionals_ = true;
      for (const c10::IValue &one : v.toListRef()) each_.emplace_back(one);
    } else if (v.isDevice()) {
      host_ = c10::IValue(at::Device(at::kCPU));
    } else {
      host_ = v;
    }
  }

  c10::IValue value() const {
    if (alias_) return alias_->tensor();
    if (list_) {
      c10::List<at::Tensor> all;
      for (const Value &one : each_) all.push_back(one.value().toTensor());
      return all;
    }
    if (optionals_) {
      c10::List<c10::optional<at::Tensor>> all;
      for (const Value &one : each_) {
        const c10::IValue v = one.value();
        all.push_back(v.isTensor() && v.toTensor().defined() ? c10::optional<at::Tensor>(v.toTensor()) : c10::nullopt);
      }
      return all;
    }
    return host_;
  }

  // fill copies a computed value to the tensors of this one.
  void fill(const c10::IValue &computed) const {
    if (alias_) alias_->tensor().copy_(computed.toTensor());
    if (list_)
      for (size_t i = 0; i < each_.size(); i++) each_[i].fill(c10::IValue(computed.toTensorList().get(i)));
  }

  void touches(std::vector<Touch> *to) const {
    if (alias_) to->push_back({alias_->at, alias_->bytes, Kind::device});
    for (const Value &one : each_) one.touches(to);
  }

 private:
  // A tensor of the CPU is an operand such as a number. It is copied, because
  // its owner may change it.
  void take(const at::Tensor &t) {
    if (t.is_cuda()) {
      alias_.emplace(t);
      return;
    }
    const at::Tensor own = t.detach().clone();
    own.unsafeGetTensorImpl()->set_wrapped_number(t.unsafeGetTensorImpl()->is_wrapped_number());
    host_ = own;
  }

  std::optional<Alias> alias_;
  bool list_ = false, optionals_ = false;
  std::vector<Value> each_;
  c10::IValue host_;
};

// Aliases holds the values of a stack of arguments or results.
struct Aliases {
  std::vector<Value> each;

  explicit Aliases(const torch::jit::Stack &stack) {
    for (const c10::IValue &v : stack) each.emplace_back(v);
  }
  torch::jit::Stack stack() const {
    torch::jit::Stack s;
    for (const Value &v : each) s.push_back(v.value());
    return s;
  }
  void fill(const torch::jit::Stack &computed) const {
    for (size_t i = 0; i < each.size(); i++) each[i].fill(computed.at(i));
  }
  std::vector<Touch> touches() const {
    std::vector<Touch> all;
    for (const Value &v : each) v.touches(&all);
    return all;
  }
};

}  // namespace standin
