#include "report.hh"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

#include "options.hh"

namespace standin {

void wrong(const std::string &what) {
  static std::mutex one;
  const std::lock_guard<std::mutex> mine(one);
  if (options().report.empty()) fatal(what);
  FILE *f = std::fopen(options().report.c_str(), "a");
  if (f == nullptr) fatal("the report cannot be written: " + options().report);
  std::fprintf(f, "%s\n", what.c_str());
  std::fclose(f);
}

void fatal(const std::string &what) {
  std::fprintf(stderr, "\nCUDA stand-in: %s\n", what.c_str());
  std::abort();
}

}  // namespace standin
