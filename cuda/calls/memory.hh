// Memory of the device, and of the host where it is pinned: one range of addresses that
// no other memory comes from and that are never given out twice, so that an address
// identifies its block even after it has been freed. A block ends at a page that cannot
// be accessed.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace standin {

enum class Kind { pageable, pinned, device };

struct Block {
  char *begin;
  size_t bytes, room;  // room: whole pages
  Kind kind;
};

class Memory {
 public:
  Memory();
  Memory(const Memory &) = delete;

  // take returns a new block, filled with NaN if values are computed, or null where the
  // device has no room.
  void *take(size_t bytes, Kind kind);

  // give frees a block; false where p is not the beginning of one of this kind.
  bool give(void *p, Kind kind);

  // find returns the block of n bytes from p on. It returns null if there is none, with the
  // reason in why.
  const Block *find(const void *p, size_t n, std::string *why) const;
  Kind kind_of(const void *p) const;

  size_t held() const { return held_; }  // bytes of the device
  size_t most() const { return most_; }

  // Open gives the calling thread access to the device's memory, for work of a stream. At
  // other times no thread has access, so that the host cannot read it.
  class Open {
   public:
    explicit Open(Memory &m) : memory_(m) { memory_.open(true); }
    ~Open() { memory_.open(false); }
    Open(const Open &) = delete;

   private:
    Memory &memory_;
  };

 private:
  bool ours(const void *p) const { return p >= base_ && p < base_ + kSpace; }
  void open(bool on);

  static constexpr size_t kSpace = size_t{1} << 42;
  char *base_, *next_;
  std::map<const char *, Block> live_, freed_;  // by the address of their end
  size_t held_ = 0, most_ = 0;
  int opened_ = 0;
};

}  // namespace standin
