#include "world.hh"

#include <cstdio>
#include <cstdlib>

#include "options.hh"
#include "report.hh"

namespace standin {

namespace {

// A stream's list holds about this number of launches before the host has to wait, as on a device.
constexpr size_t kDepth = 1024;

}  // namespace

World &World::get() {
  // The object is never destroyed, because threads may use it when the process ends.
  static World &w = *new World;
  return w;
}

World::World() : legacy(new Stream), random_(options().seed) {
  streams_.emplace_back(legacy);
}

Stream *World::new_stream(int priority) {
  streams_.push_back(std::make_unique<Stream>());
  Stream *s = streams_.back().get();
  s->number = static_cast<int>(streams_.size()) - 1;
  s->priority = priority;
  return s;
}

Stream *World::stream(const char *call, void *handle) {
  if (handle == nullptr) return legacy;
  for (const auto &s : streams_)
    if (s.get() == handle) return s.get();
  wrong(std::string(call) + ": there is no such stream");
  return nullptr;
}

bool World::check(const std::string &what, const std::vector<Touch> &touches) {
  for (const Touch &t : touches) {
    if (t.at == nullptr || t.bytes == 0) continue;
    std::string why;
    const Block *b = memory.find(t.at, t.bytes, &why);
    if (b != nullptr && b->kind == t.kind) continue;
    if (b != nullptr) why = t.kind == Kind::device ? "is memory of the host" : "is memory of the device";
    char text[64];
    std::snprintf(text, sizeof text, ": %zu bytes at %p: ", t.bytes, t.at);
    wrong(what + text + "memory that " + why);
    return false;
  }
  return true;
}

bool World::submit(Stream *s, Work w) {
  if (!check(w.what, w.touches)) return false;
  if (s->capture) {
    auto &c = *s->capture;
    c.nodes.push_back(std::move(w));
    c.joined[s].last = c.nodes.size();
    return true;
  }
  s->list.push_back({std::move(w), {}});
  s->submitted++;
  drift();
  if (options().order == Order::eager) finish(s);
  if (s->list.size() > kDepth) advance(s, s->submitted - kDepth / 2);
  return true;
}

void World::wait(Stream *s, Place p) {
  if (p.stream == s || p.stream == nullptr || p.stream->done >= p.position) return;
  s->list.push_back({{}, p});
  s->submitted++;
}

// drift does a random part of the work of a random stream.
void World::drift() {
  if (options().order != Order::random || random_() % 4 != 0) return;
  Stream *s = streams_[random_() % streams_.size()].get();
  advance(s, s->done + random_() % (s->list.size() + 1));
}

void World::advance(Stream *s, uint64_t position) {
  if (s->done >= position) return;
  if (s->running) fatal("work of a stream waits for the stream");
  const Memory::Open open(memory);
  while (s->done < position) {
    s->running = true;
    Stream::Entry e = std::move(s->list.front());
    s->list.pop_front();
    if (e.after.stream != nullptr) {
      advance(e.after.stream, e.after.position);
    } else if (check(e.work.what + ", when it was done", e.work.touches) && e.work.run) {
      e.work.run();
    }
    s->running = false;
    s->done++;
  }
}

void World::finish_all() {
  for (size_t i = 0; i < streams_.size(); i++) finish(streams_[i].get());
}

bool World::passed(Place p) {
  if (p.stream == nullptr || p.stream->done >= p.position) return true;
  if (questions_++ % 2 == 0) return false;
  advance(p.stream, p.position);
  return true;
}

void World::called(const char *call) {
  calls[call]++;
  if ((++all_ & (all_ - 1)) == 0) summarize();
}

void World::summarize() {
  if (options().summary.empty()) return;
  FILE *f = std::fopen(options().summary.c_str(), "w");
  if (f == nullptr) return;
  for (const auto &[name, n] : calls) std::fprintf(f, "%s %llu\n", name.c_str(), static_cast<unsigned long long>(n));
  std::fprintf(f, "bytes-at-most %zu\nstreams %zu\ngraphs-held %zu\n", memory.most(), streams_.size(), graphs.size() + execs.size());
  std::fclose(f);
}

}  // namespace standin
