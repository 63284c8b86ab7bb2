// Loaded kernels, and their launch.
#include "launch.h"

#include <array>
#include <atomic>
#include <memory>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "driver.h"
#include "driver.hh"
#include "guarded.hh"
#include "torch.h"

namespace {

constexpr int kDevices = 64;

// Kernels holds the kernels for one number type on one device. An object is written before it
// is put into the table, and any thread may read it afterwards.
struct Kernels {
  const pacia_driver *driver;
  pacia::Handle context;
  std::string names;  // the functions' keys refer to this text
  std::unordered_map<std::string_view, pacia::Handle> functions;
};

std::array<std::array<std::atomic<const Kernels *>, 2>, kDevices> table;

std::atomic<const Kernels *> &slot(int device, bool doubles) {
  if (device < 0 || device >= kDevices)
    throw std::out_of_range("GPU " + std::to_string(device) + ": at most " +
                            std::to_string(kDevices) + " GPUs are supported");
  return table[device][doubles];
}

// InContext makes a context the current one of the calling thread, and restores the previous
// one. On most threads, libtorch has already set the same context: the primary one of the
// device.
class InContext {
 public:
  InContext(const pacia_driver &d, pacia::Handle context) : driver_(d) {
    d.check(d.context_get(&before_), "cuCtxGetCurrent");
    changed_ = before_ != context;
    if (changed_) d.check(d.context_set(context), "cuCtxSetCurrent");
  }
  ~InContext() {
    if (changed_) driver_.context_set(before_);
  }
  InContext(const InContext &) = delete;

 private:
  const pacia_driver &driver_;
  pacia::Handle before_ = nullptr;
  bool changed_ = false;
};

}  // namespace

char *pacia_driver_load(const pacia_driver *d, int device, bool doubles, const void *image,
                        const char *names) {
  return pacia::guarded([&] {
    auto &place = slot(device, doubles);
    const std::string what = "GPU " + std::to_string(device);
    auto kernels = std::make_unique<Kernels>();
    kernels->driver = d;
    kernels->names = names;
    int handle = 0;
    d->check(d->device_get(&handle, device), what);
    // With this flag, threads that wait for the GPU sleep. CUDA's default keeps a core busy for
    // each of them, ten cores for ten replicas. The flag is set here because libtorch's context
    // is first used here. If it is not accepted, waiting threads keep cores busy.
    static_cast<void>(d->context_flags(handle, pacia::kBlockingSync));
    d->check(d->context_retain(&kernels->context, handle), what);
    const InContext in(*d, kernels->context);
    pacia::Handle module = nullptr;
    d->check(d->module_load(&module, image), what + ", loading the kernels");
    // All functions are looked up now. The driver then loads what it would otherwise load at
    // the first launch, which a CUDA graph cannot capture.
    std::istringstream list(kernels->names);
    size_t at = 0;
    for (std::string name; list >> name; at += name.size() + 1) {
      const std::string_view key = std::string_view(kernels->names).substr(at, name.size());
      d->check(d->module_function(&kernels->functions[key], module, name.c_str()),
               what + ", kernel " + name);
    }
    place.store(kernels.release());
  });
}

char *pacia_driver_launch(const char *kernel, bool doubles, int device, pacia_cuda_grid grid,
                          void **arguments, void *stream) {
  return pacia::guarded([&] {
    const std::atomic<const Kernels *> &place = slot(device, doubles);
    if (place.load() == nullptr) {
      if (char *message = paciaCudaPrepare(device, doubles)) {
        const std::string what = message;
        std::free(message);
        throw std::runtime_error(what);
      }
    }
    const Kernels &kernels = *place.load();
    const auto found = kernels.functions.find(kernel);
    if (found == kernels.functions.end())
      throw std::logic_error(std::string("no kernel ") + kernel + " was compiled");
    const pacia_driver &d = *kernels.driver;
    const InContext in(d, kernels.context);
    const int result = d.launch(found->second, grid.blocks_x, grid.blocks_y, 1, grid.threads, 1, 1,
                                0, stream, arguments, nullptr);
    if (result == 0) return;
    std::ostringstream what;
    what << "kernel " << kernel << " on " << grid.blocks_x << " x " << grid.blocks_y
         << " blocks of " << grid.threads << " threads";
    d.check(result, what.str());
  });
}

char *pacia_cuda_launch(const char *kernel, bool doubles, int device, pacia_cuda_grid grid,
                        void **arguments) {
  void *stream = nullptr;
  if (char *message = pacia_torch_stream(device, &stream)) return message;
  return pacia_driver_launch(kernel, doubles, device, grid, arguments, stream);
}
