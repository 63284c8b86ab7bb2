// Memory of the device, and pinned memory of the host. Both are in one range of
// addresses, from which no other memory is allocated. No address is allocated twice, so
// that it identifies its block even after the block has been freed. A page that cannot
// be accessed follows each block.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace standin {

enum class Kind { pageable, pinned, device };

struct Block {
  char *begin;
  size_t bytes, room;  // room: the size in whole pages
  Kind kind;
};

class Memory {
 public:
  Memory();
  Memory(const Memory &) = delete;

  // take returns a new block, filled with NaN if values are computed, or null if the
  // device's memory is full.
  void *take(size_t bytes, Kind kind);

  // give frees a block. It returns false if p is not the beginning of a block of this kind.
  bool give(void *p, Kind kind);

  // find returns the block that contains the n bytes from p on. If there is none, it
  // returns null, and sets why to the reason.
  const Block *find(const void *p, size_t n, std::string *why) const;
  Kind kind_of(const void *p) const;

  size_t held() const { return held_; }  // allocated bytes of the device
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
  std::map<const char *, Block> live_, freed_;  // the key is the address of the block's end
  size_t held_ = 0, most_ = 0;
  int opened_ = 0;
};

}  // namespace standin
