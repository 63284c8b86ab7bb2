// A shared library that is loaded when it is needed: NVIDIA's driver or compiler, which are
// optional. It stays loaded.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <stdexcept>
#include <string>

namespace pacia {

class Library {
 public:
  explicit Library(const char *file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }

  // find sets f to the function of that name.
  template <class F>
  void find(const char *name, F *&f) const {
    f = reinterpret_cast<F *>(dlsym(handle_, name));
    if (f == nullptr) throw std::runtime_error(path() + " has no function " + name);
  }

  std::string path() const {
    link_map *map = nullptr;
    return dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "a library";
  }

 private:
  void *handle_;
};

}  // namespace pacia
