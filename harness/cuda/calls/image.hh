// GPU machine code in the form that the driver takes: an ELF file.
#pragma once

#include <elf.h>

#include <cstring>
#include <map>
#include <string>

#include "report.hh"

namespace standin {

// parameters_of returns the number of parameter bytes of each kernel. It is the size of the
// kernel's constant memory without the part that the driver reserves: 0x160 bytes for this
// generation.
inline std::map<std::string, size_t> parameters_of(const void *image) {
  constexpr size_t kDriver = 0x160;
  const std::string prefix = ".nv.constant0.";
  const auto *bytes = static_cast<const char *>(image);
  std::map<std::string, size_t> found;
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    wrong("the kernels' code is not an ELF file");
    return found;
  }
  Elf64_Ehdr head;
  std::memcpy(&head, bytes, sizeof head);
  const auto section = [&](size_t i) {
    Elf64_Shdr s;
    std::memcpy(&s, bytes + head.e_shoff + i * head.e_shentsize, sizeof s);
    return s;
  };
  const char *names = bytes + section(head.e_shstrndx).sh_offset;
  for (size_t i = 0; i < head.e_shnum; i++) {
    const Elf64_Shdr s = section(i);
    const std::string name = names + s.sh_name;
    if (name.rfind(prefix, 0) == 0) found[name.substr(prefix.size())] = s.sh_size - kDriver;
  }
  return found;
}

}  // namespace standin
