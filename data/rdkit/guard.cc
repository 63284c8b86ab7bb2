#include "guard.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include "rdkit.h"

namespace pacia {

namespace {

// A null logger is off: RDKit's logging macro checks it before it writes.
void silence() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::unique_lock<std::shared_mutex> alone(logLock());
    rdDebugLog.reset();
    rdInfoLog.reset();
    rdErrorLog.reset();
    rdWarningLog.reset();
    rdStatusLog.reset();
  });
}

// "[12:34:56] message" -> "message"
size_t skipTime(const std::string &s, size_t begin, size_t end) {
  const bool stamped = end - begin > 11 && s[begin] == '[' && s[begin + 3] == ':' &&
                       s[begin + 6] == ':' && s[begin + 9] == ']';
  return stamped ? begin + 11 : begin;
}

// A malformed SMILES gives no molecule and no exception. It is parsed again with the error
// log on, which is rare enough to cost nothing.
std::string whyMalformed(const std::string &smiles) {
  LogCapture log;
  const Mol again(RDKit::SmilesToMol(smiles, RDKit::SmilesParserParams()));
  const std::string text = log.text();
  return text.empty() ? "RDKit cannot read it and gives no reason" : text;
}

}  // namespace

std::shared_mutex &logLock() {
  static std::shared_mutex lock;
  return lock;
}

Quiet::Quiet() {
  silence();
  lock_ = std::shared_lock<std::shared_mutex>(logLock());
}

LogCapture::LogCapture() {
  silence();
  lock_ = std::unique_lock<std::shared_mutex>(logLock());
  rdErrorLog = std::make_shared<boost::logging::rdLogger>(&text_);
}

LogCapture::~LogCapture() { rdErrorLog.reset(); }

Mol accepted(Mol mol, const std::string &smiles) {
  if (!mol) throw std::runtime_error(whyMalformed(smiles));
  const unsigned atoms = mol->getNumAtoms();
  if (atoms == 0) throw std::runtime_error("molecule without atoms");
  if (atoms > PACIA_MAX_ATOMS) {
    throw std::runtime_error(std::to_string(atoms) + " atoms, more than " + std::to_string(PACIA_MAX_ATOMS));
  }
  return mol;
}

Mol read(const std::string &smiles) {
  Mol mol;
  {
    const Quiet quiet;
    mol.reset(RDKit::SmilesToMol(smiles, RDKit::SmilesParserParams()));
  }
  return accepted(std::move(mol), smiles);
}

int orderOf(const RDKit::Bond &bond) {
  const int type = bond.getBondType();
  return type == RDKit::Bond::AROMATIC ? 3 : type >= RDKit::Bond::SINGLE && type <= RDKit::Bond::TRIPLE ? type - RDKit::Bond::SINGLE : 4;
}

uint8_t orderOf(const RDKit::Bond &bond, int kinds, const char *names) {
  const int order = orderOf(bond);
  if (order < kinds) return static_cast<uint8_t>(order);
  throw std::runtime_error("bond between atoms " + std::to_string(bond.getBeginAtomIdx()) + " and " +
                           std::to_string(bond.getEndAtomIdx()) + " is not " + names);
}

void copyReason(const std::string &text, char *out, int32_t capacity) noexcept {
  if (out == nullptr || capacity <= 0) {
    return;
  }
  size_t begin = text.find_first_not_of(" \r\n");
  begin = begin == std::string::npos ? text.size() : begin;
  const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  begin = skipTime(text, begin, end);
  const size_t length = std::min(end - begin, static_cast<size_t>(capacity) - 1);
  std::memcpy(out, text.data() + begin, length);
  out[length] = '\0';
}

}  // namespace pacia
