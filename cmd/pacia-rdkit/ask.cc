#include "ask.h"

#include <algorithm>
#include <stdexcept>

#include <RDGeneral/versions.h>

#include "answer.h"

namespace pacia {

namespace {

void answer(int32_t kind, const std::string &text, int32_t a, int32_t b, Answer &out) {
  const bool block = kind == PACIA_ASK_REWRITE && (a & PACIA_REWRITE_BLOCK);
  const bool bare = kind == PACIA_ASK_PARSE && (a & PACIA_PARSE_BARE);
  const size_t end = block ? text.size() : std::min(text.find('\n'), text.size());  // of the SMILES
  int32_t lost = 0;
  const Mol mol = block ? readBlock(text, !(a & PACIA_REWRITE_LAX), lost) : read(text.substr(0, end), bare);
  const std::string rest = text.substr(std::min(end + 1, text.size()));
  switch (kind) {
    case PACIA_ASK_PARSE: return parse(*mol, a, out);
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

int32_t pacia_rdkit_answer(int32_t kind, const char *text, int32_t length, int32_t a, int32_t b, const char **bytes,
                           int32_t *size) {
  static pacia::Answer out;
  int32_t status = PACIA_OK;
  out.bytes.clear();
  try {
    pacia::answer(kind, std::string(text, static_cast<size_t>(length)), a, b, out);
  } catch (const std::exception &e) {
    out.bytes = pacia::reason(e.what());
    status = PACIA_REFUSED;
  } catch (...) {
    out.bytes = "RDKit raised an unknown exception";
    status = PACIA_REFUSED;
  }
  *bytes = out.bytes.data();
  *size = static_cast<int32_t>(out.bytes.size());
  return status;
}

const char *pacia_rdkit_begin(void) {
  pacia::silence();
  return RDKit::rdkitVersion;
}
