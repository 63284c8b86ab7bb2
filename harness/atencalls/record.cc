#include "record.h"

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

namespace {

std::mutex lock;
std::string names;
at::CallbackHandle handle;

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction &f) {
  const std::lock_guard<std::mutex> mine(lock);
  names.append(f.name()).append(" ");
  return nullptr;
}

// Memory counts the bytes that the thread's tensors allocate minus those that they free.
class Memory : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void *, int64_t bytes, size_t, size_t, c10::Device) override { kept += bytes; }
  bool memoryProfilingEnabled() const override { return true; }
  int64_t kept = 0;
};

std::shared_ptr<Memory> memory;
std::unique_ptr<c10::DebugInfoGuard> watched;

}  // namespace

void pacia_record_begin(void) {
  names.clear();
  memory = std::make_shared<Memory>();
  watched = std::make_unique<c10::DebugInfoGuard>(c10::DebugInfoKind::PROFILER_STATE, memory);
  handle = at::addGlobalCallback(at::RecordFunctionCallback(note).scopes({at::RecordScope::FUNCTION}));
}

char *pacia_record_end(int64_t *kept) {
  at::removeCallback(handle);
  watched.reset();
  *kept = memory->kept;
  return strdup(names.c_str());
}
