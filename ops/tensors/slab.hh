// A slab is one block of bytes on a device. It contains all inputs that change from one
// training step to the next: a batch and the keys of its dropout masks. It is filled in the
// host's memory and sent as a whole. Tensors that are views of it do not move, so that a CUDA
// graph can run again on new contents.
//
// Bytes that no view covers are all bits 1, as in NaN, so that a read after the end of a view
// makes results invalid.
//
// On a GPU, the host's side consists of two blocks of pinned memory. Copies pass through a
// staging block on a stream for the thread's copies. A step can therefore be filled and sent
// while the previous one still runs.
#pragma once

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>

#include "host.hh"

namespace pacia {

// copies_to returns the stream for the calling thread's copies to a device. It is one of
// libtorch's 32 high-priority streams, which are assigned in turn. Threads may share one, and
// then only wait for each other's copies. Nothing is ever captured on it, since threads that
// capture only use streams of package cuda.
inline c10::Stream copies_to(at::Device where) {
  static thread_local std::map<c10::DeviceIndex, c10::Stream> streams;
  const auto found = streams.find(where.index());
  if (found != streams.end()) return found->second;
  const c10::impl::VirtualGuardImpl impl(at::kCUDA);
  const auto stream = impl.getStreamFromGlobalPool(where, /*isHighPriority=*/true);
  return streams.emplace(where.index(), stream).first->second;
}

class Slab {
 public:
  Slab(int64_t bytes, int device) {
    const bool gpu = device >= 0;
    auto where = gpu ? at::Device(at::kCUDA, static_cast<int8_t>(device)) : at::Device(at::kCPU);
    contents_ = at::full({bytes}, 0xff, at::dtype(at::kByte).device(where));
    for (int i = 0; i < (gpu ? 2 : 1); i++)
      ways_.emplace_back(at::full({bytes}, 0xff, at::dtype(at::kByte).pinned_memory(gpu)),
                         gpu ? at::empty_like(contents_) : Tensor());
    if (gpu) side_ = copies_to(where);
  }

  // next returns the host's memory for the next send, with its previous contents. If these are
  // still being copied, it waits for all of the thread's copies, since waiting for an event
  // would keep a core busy. The last of these copies belongs to the previous step. It starts
  // when the step two before that one starts, so that enough steps are in flight.
  void *next() {
    at_ = (at_ + 1) % ways_.size();
    Way &w = ways_[at_];
    if (w.sent && !w.sent->query()) side_->synchronize();
    return w.host.data_ptr();
  }

  // send copies the memory that next returned to the device, in the order of the current
  // stream.
  void send() {
    Way &w = ways_[at_];
    if (!side_) {
      contents_.copy_(w.host);
      return;
    }
    c10::impl::VirtualGuardImpl impl(at::kCUDA);
    const auto main = impl.getStream(contents_.device());
    if (!w.sent) {
      w.sent = std::make_unique<c10::Event>(at::kCUDA);
      w.taken = std::make_unique<c10::Event>(at::kCUDA);
      // The staging block is memory of the current stream. Kernels of this stream may still use
      // earlier contents of it, because libtorch's allocator reuses memory without waiting, in
      // the order of that stream only.
      w.taken->record(main);
    }
    w.taken->block(*side_);
    {
      c10::StreamGuard on(*side_);
      w.staging.copy_(w.host, /*non_blocking=*/true);
      w.sent->record(*side_);
    }
    w.sent->block(main);
    contents_.copy_(w.staging, /*non_blocking=*/true);
    w.taken->record(main);
  }

  // view returns a view of a part of the contents.
  Tensor view(int64_t offset, int dtype, at::IntArrayRef shape) const {
    const auto type = scalar_type(dtype);
    int64_t n = static_cast<int64_t>(c10::elementSize(type));
    for (int64_t s : shape) n *= s;
    return contents_.slice(0, offset, offset + n).view(type).view(shape);
  }

 private:
  struct Way {
    Way(Tensor host, Tensor staging) : host(std::move(host)), staging(std::move(staging)) {}
    Tensor host, staging;
    std::unique_ptr<c10::Event> sent, taken;
  };

  Tensor contents_;
  std::vector<Way> ways_;
  c10::optional<c10::Stream> side_;
  size_t at_ = 0;
};

}  // namespace pacia
