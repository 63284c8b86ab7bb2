// C++ state that threads of the host share, under ThreadSanitizer (scripts/check-threads):
//
//   turns      only one thread at a time has the turn (core/turn.hh)
//   graphs     lists of pairs that all threads use (model/par/op/graphs.hh)
//   slabs      each thread's own block, and its copies (tensors/slab.hh)
//   kernels    the table of kernels, which the first thread that launches one fills (cuda/launch.cc)
//   planted    as turns, but without turns: a race, which must be reported
#include "core/libtorch.hh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "../../cuda/driver.h"
#include "../../cuda/launch.h"
#include "../../model/par/op/graphs.hh"
#include "../tensors/slab.hh"
#include "core/emulation.hh"
#include "core/turn.hh"

namespace {

constexpr int kThreads = 4, kRounds = 200;

pacia_driver *driver = nullptr;

// run calls f in several threads at the same time. The fastest form of operations in them is
// kernels, on the emulator.
void run(const std::function<void(int)> &f) {
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; i++)
    all.emplace_back([&f, i] {
      pacia::emulating() = pacia::Emulation::forwards;
      f(i);
    });
  for (std::thread &t : all) t.join();
}

// counted returns the common count of several threads, with or without turns.
int counted(bool in_turns) {
  const at::Tensor like = at::zeros({1});
  int n = 0;
  run([&](int) {
    for (int k = 0; k < kRounds; k++) {
      const auto mine = in_turns ? pacia::turn(like) : std::unique_lock<std::mutex>();
      n++;
    }
  });
  return n;
}

bool turns() { return counted(true) == kThreads * kRounds; }

bool graphs() {
  int64_t pairs[kThreads] = {};
  run([&](int i) {
    for (int k = 0; k < kRounds; k++) pairs[i] += pacia::Graphs::of(2 + k % 5, 1 + k % 20, at::kCPU)->later.left.size(0);
  });
  for (const int64_t n : pairs)
    if (n == 0 || n != pairs[0]) return false;
  return true;
}

bool slabs() {
  bool right[kThreads] = {};
  run([&](int i) {
    pacia::Slab slab(1024, -1);
    right[i] = true;
    for (int k = 0; k < kRounds; k++) {
      std::memset(slab.next(), i + 1, 1024);
      slab.send();
      right[i] = right[i] && slab.view(512, static_cast<int>(at::kByte), {512}).sum().item<int64_t>() == 512 * (i + 1);
    }
  });
  for (const bool r : right)
    if (!r) return false;
  return true;
}

bool kernels() {
  bool right[kThreads] = {};
  run([&](int i) {
    right[i] = true;
    void *arguments[] = {&i};  // cuda/testdata/driver.c reads one
    for (int k = 0; k < kRounds; k++) {
      char *message = pacia_driver_launch("dropout", k % 2 == 1, 0, {1, 1, 32}, arguments, nullptr);
      right[i] = right[i] && message == nullptr;
    }
  });
  for (const bool r : right)
    if (!r) return false;
  return true;
}

}  // namespace

// Replaces the Go function of package cuda.
extern "C" char *paciaCudaPrepare(int device, bool doubles) {
  static std::mutex one;
  static bool loaded[2];
  const std::lock_guard<std::mutex> mine(one);
  if (loaded[doubles]) return nullptr;
  loaded[doubles] = true;
  return pacia_driver_load(driver, device, doubles, "", "dropout adam");
}
extern "C" char *pacia_torch_stream(int, void **) { return nullptr; }

int main(int n, char **arguments) {
  const std::string what = n > 1 ? arguments[1] : "";
  int version = 0;
  setenv("PACIA_FAKE_LOG", "/dev/null", 1);  // where cuda/testdata/driver.c writes
  if (n > 2 && pacia_driver_open(arguments[2], &driver, &version) != nullptr) return 1;
  const std::map<std::string, bool (*)()> parts{
      {"turns", turns}, {"graphs", graphs}, {"slabs", slabs}, {"kernels", kernels}, {"planted", [] { return counted(false) > 0; }}};
  const bool right = parts.count(what) != 0 && parts.at(what)();
  if (!right) std::fprintf(stderr, "%s: wrong\n", what.c_str());
  return right ? 0 : 1;
}
