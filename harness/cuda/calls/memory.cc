#include "memory.hh"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "options.hh"
#include "report.hh"

namespace standin {

namespace {

// CUDA aligns addresses to this number of bytes.
constexpr size_t kAlign = 512;

// Blocks of at least this size consist of pages of this size. This reduces the time to
// protect the device's memory around each kernel to a hundredth.
constexpr size_t kLargePage = size_t{2} << 20;

size_t page() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void protect(const Block &b, int how) {
  if (mprotect(b.begin, b.room, how) != 0) fatal("mprotect of " + std::to_string(b.room) + " bytes");
}

// of returns the block that contains p, or null.
const Block *of(const std::map<const char *, Block> &blocks, const char *p) {
  const auto after = blocks.upper_bound(p);
  return after != blocks.end() && after->second.begin <= p ? &after->second : nullptr;
}

}  // namespace

Memory::Memory()
    : base_(static_cast<char *>(mmap(nullptr, kSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
      next_(base_) {
  if (base_ == MAP_FAILED) fatal("no range of addresses for the device's memory");
}

void *Memory::take(size_t bytes, Kind kind) {
  if (kind == Kind::device && held_ + bytes > options().memory) return nullptr;
  const size_t room = (std::max(bytes, size_t{1}) + page() - 1) / page() * page();
  const bool large = room >= kLargePage;
  if (large) next_ += (kLargePage - reinterpret_cast<uintptr_t>(next_) % kLargePage) % kLargePage;
  if (next_ + room + page() > base_ + kSpace) fatal("all addresses are used up");
  Block b{next_, std::max(bytes, size_t{1}), room, kind};
  next_ += room + page();
  static_assert(kAlign <= 4096, "blocks begin with a page");
  protect(b, PROT_READ | PROT_WRITE);
  if (large) madvise(b.begin, b.room, MADV_HUGEPAGE);
  if (options().values) std::memset(b.begin, 0xff, b.room);
  if (kind == Kind::device && opened_ == 0 && options().protect) protect(b, PROT_NONE);
  live_[b.begin + b.bytes] = b;
  if (kind == Kind::device) most_ = std::max(most_, held_ += b.bytes);
  return b.begin;
}

bool Memory::give(void *p, Kind kind) {
  const Block *found = of(live_, static_cast<char *>(p));
  if (found == nullptr || found->begin != p || found->kind != kind) return false;
  const Block b = *found;
  live_.erase(b.begin + b.bytes);
  freed_[b.begin + b.bytes] = b;
  if (kind == Kind::device) held_ -= b.bytes;
  madvise(b.begin, b.room, MADV_DONTNEED);
  protect(b, PROT_NONE);
  return true;
}

const Block *Memory::find(const void *p, size_t n, std::string *why) const {
  const auto *at = static_cast<const char *>(p);
  if (const Block *b = of(live_, at)) {
    if (at + n <= b->begin + b->bytes) return b;
    *why = "ends " + std::to_string(at + n - b->begin - b->bytes) + " bytes after its block of " + std::to_string(b->bytes);
  } else if (of(freed_, at)) {
    *why = "was freed";
  } else {
    *why = ours(p) ? "lies between the blocks of the device" : "is memory of the host";
  }
  return nullptr;
}

Kind Memory::kind_of(const void *p) const {
  if (const Block *b = of(live_, static_cast<const char *>(p))) return b->kind;
  return ours(p) ? Kind::device : Kind::pageable;  // freed memory, which find reports
}

void Memory::open(bool on) {
  if (!options().protect) return;
  opened_ += on ? 1 : -1;
  if (opened_ != (on ? 1 : 0)) return;
  for (const auto &[end, b] : live_)
    if (b.kind == Kind::device) protect(b, on ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace standin
