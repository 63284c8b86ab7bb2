// libcuda: the functions that this package loads (../driver.hh). The code of its kernels is
// compiled for an RTX 3090 and loaded. The kernels then run on the emulator, in the order of
// their stream.
#include <cstring>
#include <map>

#include "../../../cuda/kernels.hh"
#include "image.hh"
#include "kernel.hh"
#include "options.hh"
#include "report.hh"
#include "world.hh"

namespace {

using standin::Kernel;

enum { kSuccess = 0, kInvalidValue = 1, kNotInitialised = 3, kInvalidContext = 201, kInvalidImage = 200, kNotFound = 500 };

bool initialised = false;
const char *const context = "the primary context";
thread_local const void *current = nullptr;

const std::map<std::string, Kernel> &kernels(bool doubles) {
  // names.inc has a line for each kernel: PACIA_KERNEL(dropout).
  static const std::map<std::string, Kernel> floats{
#define PACIA_KERNEL(name) {#name, standin::kernel(#name, pacia::f32::name)},
#include "names.inc"
#undef PACIA_KERNEL
  };
  static const std::map<std::string, Kernel> all_doubles{
#define PACIA_KERNEL(name) {#name, standin::kernel(#name, pacia::f64::name)},
#include "names.inc"
#undef PACIA_KERNEL
  };
  return doubles ? all_doubles : floats;
}

struct Module {
  bool doubles;
  std::map<std::string, size_t> parameters;  // parameter bytes of each kernel
};

// misfit compares the parameter sizes of a module's kernels with those in C++. It returns the
// first difference, or an empty string.
std::string misfit(const Module &m, bool doubles) {
  for (const auto &[name, k] : kernels(doubles)) {
    const auto found = m.parameters.find(name);
    if (found == m.parameters.end()) return "no kernel " + name;
    if (found->second != k.bytes)
      return "kernel " + name + " takes " + std::to_string(found->second) + " bytes, in C++ " + std::to_string(k.bytes);
  }
  return "";
}

int refuse(int code, const std::string &what) {
  standin::wrong(what);
  return code;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return initialised = true, kSuccess; }
int cuDriverGetVersion(int *version) { return *version = 13000, kSuccess; }
int cuGetErrorName(int, const char **text) { return *text = "CUDA_ERROR", kSuccess; }
int cuGetErrorString(int, const char **text) { return *text = "an error of the stand-in", kSuccess; }
int cuDeviceGetCount(int *n) { return *n = 1, initialised ? kSuccess : kNotInitialised; }
int cuDeviceGet(int *device, int i) { return *device = i, i == 0 ? kSuccess : kInvalidValue; }
int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "stand-in for an RTX 3090", static_cast<size_t>(size));
  return kSuccess;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  return *value = attribute == 75 ? 8 : attribute == 76 ? 6 : 0, kSuccess;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = standin::options().memory, kSuccess; }
int cuDevicePrimaryCtxSetFlags_v2(int, unsigned) { return kSuccess; }
int cuDevicePrimaryCtxRetain(const void **c, int) { return *c = context, initialised ? kSuccess : kNotInitialised; }
int cuDevicePrimaryCtxGetState(int, unsigned *flags, int *active) { return *flags = 0, *active = 1, kSuccess; }
int cuCtxGetCurrent(const void **c) { return *c = current, kSuccess; }
int cuCtxSetCurrent(const void *c) { return current = c, kSuccess; }

int cuModuleLoadData(Module **module, const void *image) {
  auto m = std::make_unique<Module>();
  m->parameters = standin::parameters_of(image);
  // The code does not record whether the sources were compiled for float or for double.
  const std::string floats = misfit(*m, false), doubles = misfit(*m, true);
  if (!floats.empty() && !doubles.empty()) return refuse(kInvalidImage, "the code does not fit the kernels: " + floats + "; " + doubles);
  m->doubles = !floats.empty();
  return *module = m.release(), kSuccess;
}

int cuModuleGetFunction(const Kernel **function, Module *module, const char *name) {
  const auto &all = kernels(module->doubles);
  const auto found = all.find(name);
  if (found == all.end()) return refuse(kNotFound, std::string("there is no kernel ") + name);
  return *function = &found->second, kSuccess;
}

int cuLaunchKernel(const Kernel *k, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz, unsigned shared,
                   void *stream, void **arguments, void **) {
  auto &w = standin::World::get();
  const standin::Locked mine(w.lock);
  w.called("cuLaunchKernel");
  if (current != context) return refuse(kInvalidContext, std::string(k->name) + " is launched by a thread without a context");
  if (tx > 1024 || by > 65535 || bz != 1 || ty != 1 || tz != 1 || shared != 0 || bx == 0 || by == 0 || tx == 0)
    return refuse(kInvalidValue, std::string(k->name) + ": a grid that the device does not allow");
  standin::Stream *s = w.stream(k->name, stream);
  return s != nullptr && w.submit(s, k->work(arguments, {bx, by, tx})) ? kSuccess : kInvalidValue;
}

}  // extern "C"
