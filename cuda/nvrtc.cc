#include "compiler.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <sstream>
#include <vector>

#include "guarded.hh"
#include "library.hh"

namespace {

using nvrtcProgram = struct Program *;

char *copy_of(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

// The prototypes are those of nvrtc.h of CUDA 11.2 to 13. nvrtcResult is an int.
struct pacia_nvrtc {
  pacia::Library library;
  std::string path;
  std::vector<int> architectures;

  const char *(*error_text)(int);
  int (*version)(int *major, int *minor);
  int (*architecture_count)(int *n);
  int (*supported)(int *architectures);
  int (*create)(nvrtcProgram *, const char *source, const char *name, int n,
                const char *const *headers, const char *const *names);
  int (*destroy)(nvrtcProgram *);
  int (*compile)(nvrtcProgram, int n, const char *const *options);
  int (*log_size)(nvrtcProgram, size_t *), (*log)(nvrtcProgram, char *);
  int (*ptx_size)(nvrtcProgram, size_t *), (*ptx)(nvrtcProgram, char *);
  int (*cubin_size)(nvrtcProgram, size_t *), (*cubin)(nvrtcProgram, char *);

  explicit pacia_nvrtc(const char *file) : library(file), path(library.path()) {
    library.find("nvrtcGetErrorString", error_text);
    library.find("nvrtcVersion", version);
    library.find("nvrtcGetNumSupportedArchs", architecture_count);
    library.find("nvrtcGetSupportedArchs", supported);
    library.find("nvrtcCreateProgram", create);
    library.find("nvrtcDestroyProgram", destroy);
    library.find("nvrtcCompileProgram", compile);
    library.find("nvrtcGetProgramLogSize", log_size);
    library.find("nvrtcGetProgramLog", log);
    library.find("nvrtcGetPTXSize", ptx_size);
    library.find("nvrtcGetPTX", ptx);
    library.find("nvrtcGetCUBINSize", cubin_size);
    library.find("nvrtcGetCUBIN", cubin);
    int n = 0;
    check(architecture_count(&n));
    architectures.resize(n);
    check(supported(architectures.data()));
    std::sort(architectures.begin(), architectures.end());
    load_builtins();
  }

  // NVRTC loads a second library by name. NVRTC of CUDA 13 does not search its own folder, but
  // finds a library that is already loaded. Errors are ignored here, since NVRTC reports a
  // missing library itself.
  void load_builtins() const {
    int major = 0, minor = 0;
    check(version(&major, &minor));
    const std::string file = path.substr(0, path.rfind('/') + 1) + "libnvrtc-builtins.so." +
                             std::to_string(major) + '.' + std::to_string(minor);
    dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  void check(int result) const {
    if (result != 0) throw std::runtime_error(path + ": " + error_text(result));
  }

  // text returns one of the outputs of a program. If the output is text, it ends with a zero.
  std::string text(nvrtcProgram p, int (*size)(nvrtcProgram, size_t *),
                   int (*get)(nvrtcProgram, char *)) const {
    size_t n = 0;
    check(size(p, &n));
    std::string s(n, '\0');
    check(get(p, s.data()));
    return s;
  }
};

char *pacia_nvrtc_open(const char *file, pacia_nvrtc **nvrtc, pacia_nvrtc_info *info) {
  return pacia::guarded([&] {
    auto n = std::make_unique<pacia_nvrtc>(file);
    n->check(n->version(&info->major, &info->minor));
    info->path = n->path.c_str();
    info->architectures = n->architectures.data();
    info->n = static_cast<int>(n->architectures.size());
    *nvrtc = n.release();
  });
}

char *pacia_nvrtc_compile(const pacia_nvrtc *nvrtc, const char *source, const char *options,
                          bool ptx, pacia_nvrtc_output *output) {
  return pacia::guarded([&] {
    std::vector<std::string> lines;
    std::istringstream in(options);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::vector<const char *> pointers;
    for (const auto &line : lines) pointers.push_back(line.c_str());

    nvrtcProgram made;
    nvrtc->check(nvrtc->create(&made, source, "kernels", 0, nullptr, nullptr));
    auto destroy = [&](nvrtcProgram p) { nvrtc->destroy(&p); };
    std::unique_ptr<struct Program, decltype(destroy)> program(made, destroy);
    const int result =
        nvrtc->compile(program.get(), static_cast<int>(pointers.size()), pointers.data());
    std::string log = nvrtc->text(program.get(), nvrtc->log_size, nvrtc->log);
    log.resize(std::strlen(log.c_str()));
    if (result != 0)
      throw std::runtime_error(nvrtc->path + ": " + nvrtc->error_text(result) + "\n" + log);
    const std::string image = ptx ? nvrtc->text(program.get(), nvrtc->ptx_size, nvrtc->ptx)
                                  : nvrtc->text(program.get(), nvrtc->cubin_size, nvrtc->cubin);
    output->log = copy_of(log);
    output->image = copy_of(image);
    output->size = image.size();
  });
}
