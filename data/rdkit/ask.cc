#include "ask.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pacia {

namespace {

void answer(int32_t kind, const std::string &text, int32_t a, int32_t b, Answer &out) {
  const bool block = kind == PACIA_ASK_REWRITE && (a & PACIA_REWRITE_BLOCK);
  const size_t end = block ? text.size() : std::min(text.find('\n'), text.size());  // of the SMILES
  int32_t lost = 0;
  const Mol mol = block ? readBlock(text, !(a & PACIA_REWRITE_LAX), lost) : read(text.substr(0, end));
  const std::string rest = text.substr(std::min(end + 1, text.size()));
  const Quiet quiet;
  switch (kind) {
    case PACIA_ASK_KEKULE: return kekule(*mol, a != 0, out);
    case PACIA_ASK_REWRITE: return rewrite(*mol, a, lost, out);
    case PACIA_ASK_DRAW: return draw(*mol, a, b, rest, out);
    case PACIA_ASK_DESCRIPTORS: return describe(*mol, a != 0, out);
    case PACIA_ASK_CONFORMER: return conform(*mol, a != 0, out);
    case PACIA_ASK_MOTIFS: return takeApart(*mol, out);
    case PACIA_ASK_MINIMOL: return minimol(*mol, out);
    case PACIA_ASK_STRUCTURE: return structure(*mol, rest, a, out);
    case PACIA_ASK_ENVIRONMENTS: return environments(*mol, out);
    case PACIA_ASK_FRAGMENTS: return fragments(*mol, rest, out);
    case PACIA_ASK_COUNTS: return counts(*mol, a != 0, out);
  }
  throw std::logic_error("unknown question " + std::to_string(kind));
}

}  // namespace

}  // namespace pacia

int32_t pacia_rdkit_ask(int32_t kind, const char *text, int32_t length, int32_t a, int32_t b, char *answer,
                        int32_t capacity, int32_t *size, char *reason, int32_t reason_capacity) {
  return pacia::guarded(PACIA_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    pacia::Answer out;
    pacia::answer(kind, std::string(text, static_cast<size_t>(length)), a, b, out);
    *size = static_cast<int32_t>(out.bytes.size());
    if (*size > capacity) return PACIA_TOO_SMALL;
    std::memcpy(answer, out.bytes.data(), out.bytes.size());
    return PACIA_OK;
  });
}
