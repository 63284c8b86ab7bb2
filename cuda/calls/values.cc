// What libtorch's own kernels compute. Their machine code is for a GPU, and the stand-in runs
// none of it. In its place, behind each operation that libtorch has done on the device (with
// all the calls of CUDA that come with it), its stream is given the same operation of
// libtorch's for the CPU, on the same memory. So everything has its values when, and only
// when, the order of streams, events and graphs is right; and a run on the stand-in can be
// compared with one on the CPU.
//
// A new tensor is filled with NaN, in the order of the stream: what reads memory before
// it was written, or after it was given to another tensor, computes NaN.
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

// The entry of an operation, with its kernels, which its handle keeps to itself.
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

// Whether the calling thread is inside of an operation on the device: what that does by
// others is done with it.
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

// computed calls an operation for the CPU.
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

// After selects what is computed after an operation.
enum class After { nothing, poison, values };

After after(const OperatorHandle &op) {
  const auto &schema = op.schema();
  const std::string &name = schema.name();
  if (name.find("empty") != std::string::npos) return After::poison;
  // Views are another look at the same memory; what returns no tensor is made of
  // operations that do.
  bool tensors = false;
  for (const auto &r : schema.returns()) {
    if (views(r)) return After::nothing;
    tensors |= r.type()->kind() == c10::TypeKind::TensorType || r.type()->kind() == c10::TypeKind::ListType;
  }
  for (const auto &a : schema.arguments()) tensors |= writes(a);
  if (name == "aten::set_" || name == "aten::resize_" || name == "aten::record_stream") return After::nothing;
  return tensors ? After::values : After::nothing;
}

// Behind gives the stream of an operation what computes its values: given are its arguments,
// made its results.
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

// dependent makes an operation whose result's size depends on values, as libtorch does: it waits.
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

// Onto is an operation with what is behind it.
class Onto final : public c10::OperatorKernel {
 public:
  explicit Onto(c10::KernelFunction real) : real_(std::move(real)) {}

  void operator()(const OperatorHandle &op, DispatchKeySet keys, Stack *stack) {
    const auto &name = op.schema().name();
    if (kDependent.count(name) != 0 && !of_host(*stack)) return dependent(op, stack);
    // Between host and device libtorch copies bytes, by other copies where it must.
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

// Every operation with a kernel for CUDA, and copy_, which has one inside.
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
                                           c10::nullopt, nullptr, "cuda/calls"));
  }
  return true;
}();

}  // namespace

}  // namespace standin
