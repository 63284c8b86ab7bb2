// The values that libtorch's own kernels compute. Their machine code is for a GPU, and the
// stand-in runs none of it. libtorch runs each operation on the device, with all its calls of
// CUDA. Then the stand-in puts the same operation of libtorch for the CPU on the stream, on the
// same memory. The values are correct if and only if the order of streams, events and graphs is
// correct, and a run on the stand-in can be compared with a run on the CPU.
//
// A new tensor is filled with NaN, in the order of the stream. A read of memory before it is
// written, or after it was given to another tensor, therefore results in NaN.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <cstring>
#include <set>

#include "alias.hh"
#include "options.hh"
#include "report.hh"
#include "world.hh"

namespace standin {

// entry_of returns the entry of an operation with its kernels, which is private in its handle.
c10::impl::OperatorEntry &entry_of(const c10::OperatorHandle &op);
template <auto member>
struct Reveal {
  friend c10::impl::OperatorEntry &entry_of(const c10::OperatorHandle &op) { return (op.*member)->op; }
};
template struct Reveal<&c10::OperatorHandle::operatorDef_>;

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::OperatorHandle;
using torch::jit::Stack;

// Whether the calling thread is inside an operation on the device. Operations that this
// one calls are part of it.
thread_local bool inside = false;

// Operations whose result has a size that depends on values: libtorch waits for the device.
const std::set<std::string> kDependent{"aten::nonzero",         "aten::masked_select",      "aten::_unique2", "aten::unique_dim",
                                       "aten::repeat_interleave", "aten::unique_consecutive", "aten::bincount"};

void on_stream(Work work) {
  World &w = World::get();
  const Locked mine(w.lock);
  work.counted = false;
  w.submit(w.stream("values", c10::cuda::getCurrentCUDAStream().stream()), std::move(work));
}

// computed runs an operation on the CPU.
Stack computed(const OperatorHandle &op, Stack stack) {
  const at::AutoDispatchBelowADInplaceOrView below;
  op.callBoxed(&stack);
  return stack;
}

void poison(const std::string &name, const at::Tensor &t) {
  if (!t.defined() || !t.is_cuda() || t.numel() == 0) return;
  const Alias a(t);
  on_stream({name, a.touches(), [a] { std::memset(a.at, 0xff, a.bytes); }});
}

bool writes(const c10::Argument &a) { return a.alias_info() != nullptr && a.alias_info()->isWrite(); }
bool views(const c10::Argument &a) { return a.alias_info() != nullptr && !a.alias_info()->isWrite(); }

// After selects the work that follows an operation.
enum class After { nothing, poison, values };

After after(const OperatorHandle &op) {
  const auto &schema = op.schema();
  const std::string &name = schema.name();
  if (name.find("empty") != std::string::npos) return After::poison;
  // Views share memory with another tensor. Operations that return no tensor are
  // composed of operations that do.
  bool tensors = false;
  for (const auto &r : schema.returns()) {
    if (views(r)) return After::nothing;
    tensors |= r.type()->kind() == c10::TypeKind::TensorType || r.type()->kind() == c10::TypeKind::ListType;
  }
  for (const auto &a : schema.arguments()) tensors |= writes(a);
  if (name == "aten::set_" || name == "aten::resize_" || name == "aten::record_stream") return After::nothing;
  return tensors ? After::values : After::nothing;
}

// behind puts the computation of an operation's values on its stream. `given` has its
// arguments, and `made` its results.
void behind(const OperatorHandle &op, const Stack &given, const Stack &made) {
  const auto &schema = op.schema();
  Aliases arguments(given), results(made);
  bool in_place = false;
  for (const auto &a : schema.arguments()) in_place |= writes(a);
  if (op.hasTag(at::Tag::nondeterministic_seeded)) wrong(schema.name() + " draws from a generator");
  auto touches = arguments.touches();
  for (const Touch &t : results.touches()) touches.push_back(t);
  on_stream({schema.name(), touches, [op, arguments, results, in_place] {
    try {
      const Stack out = computed(op, arguments.stack());
      if (!in_place) results.fill(out);
    } catch (const std::exception &e) {
      wrong(op.schema().name() + " has no values: " + e.what());
    }
  }});
}

// dependent runs an operation whose result has a size that depends on values. It waits for the
// stream, as libtorch does.
void dependent(const OperatorHandle &op, Stack *stack) {
  c10::cuda::getCurrentCUDAStream().synchronize();
  World &w = World::get();
  Stack out;
  {
    const Locked mine(w.lock);
    const Memory::Open open(w.memory);
    out = computed(op, Aliases(*stack).stack());
  }
  stack->clear();
  for (const auto &r : out) stack->push_back(r.isTensor() && r.toTensor().defined() ? c10::IValue(r.toTensor().to(at::kCUDA)) : r);
}

// Onto is an operation of libtorch, followed by the computation of its values.
class Onto final : public c10::OperatorKernel {
 public:
  explicit Onto(c10::KernelFunction real) : real_(std::move(real)) {}

  void operator()(const OperatorHandle &op, DispatchKeySet keys, Stack *stack) {
    const auto &name = op.schema().name();
    if (kDependent.count(name) != 0 && !of_host(*stack)) return dependent(op, stack);
    // libtorch copies between host and device bytewise, and calls other copies if necessary.
    const bool between = name == "aten::copy_" && stack->at(0).toTensor().is_cuda() != stack->at(1).toTensor().is_cuda();
    const After then = inside || between ? After::nothing : after(op);
    if (then == After::nothing) return real_.callBoxed(op, keys, stack);
    const Stack given = *stack;
    {
      const Inside here;
      real_.callBoxed(op, keys, stack);
    }
    if (then == After::values) return behind(op, given, *stack);
    for (const auto &r : *stack)
      if (r.isTensor()) poison(name, r.toTensor());
  }

 private:
  struct Inside {
    Inside() { inside = true; }
    ~Inside() { inside = false; }
  };
  static bool of_host(const Stack &s) {
    for (const auto &v : s)
      if (v.isTensor() && v.toTensor().defined()) return !v.toTensor().is_cuda();
    return true;
  }
  c10::KernelFunction real_;
};

class Silent : public c10::WarningHandler {
  void process(const c10::Warning &) override {}
};

// Onto replaces every operation with a kernel for CUDA, and copy_, which contains one.
const bool begun = [] {
  if (!options().values) return false;
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard unwarned(&silent);
  static auto &kept = *new std::vector<c10::RegistrationHandleRAII>;
  auto &dispatcher = c10::Dispatcher::singleton();
  for (const auto &name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (!op || (!op->hasKernelForDispatchKey(DispatchKey::CUDA) && name.name != "aten::copy_")) continue;
    if (name.name.rfind("aten::", 0) != 0) continue;
    const auto &real = entry_of(*op).lookup(DispatchKeySet(DispatchKey::CUDA));
    if (!real.isValid()) continue;
    kept.push_back(dispatcher.registerImpl(name, DispatchKey::CUDA, c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<Onto>(real)),
                                           c10::nullopt, nullptr, "harness/cuda/calls"));
  }
  return true;
}();

}  // namespace

}  // namespace standin
