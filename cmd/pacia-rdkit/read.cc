#include "read.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include "rdkit.h"

namespace pacia {

namespace {

constexpr size_t kReason = 255;  // bytes of a reason

// "[12:34:56] message" -> "message"
size_t skipTime(const std::string &s, size_t begin, size_t end) {
  const bool stamped = end - begin > 11 && s[begin] == '[' && s[begin + 3] == ':' &&
                       s[begin + 6] == ':' && s[begin + 9] == ']';
  return stamped ? begin + 11 : begin;
}

// Log captures RDKit's error log during its lifetime. RDKit reports only there why a SMILES is malformed. At all other
// times its logs are null, and so off: RDKit's macro checks them before it writes.
class Log {
 public:
  Log() { rdErrorLog = std::make_shared<boost::logging::rdLogger>(&text_); }
  ~Log() { rdErrorLog.reset(); }
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

// A malformed SMILES gives no molecule and no exception. It is parsed again with the error
// log on, which is rare enough to cost nothing.
std::string whyMalformed(const std::string &smiles) {
  const Log log;
  const Mol again(RDKit::SmilesToMol(smiles, RDKit::SmilesParserParams()));
  const std::string text = log.text();
  return text.empty() ? "RDKit cannot read it and gives no reason" : text;
}

}  // namespace

void silence() {
  for (auto *log : {&rdDebugLog, &rdInfoLog, &rdErrorLog, &rdWarningLog, &rdStatusLog}) log->reset();
}

Mol read(const std::string &smiles, bool bare) {
  RDKit::SmilesParserParams params;
  params.sanitize = params.removeHs = !bare;
  Mol mol(RDKit::SmilesToMol(smiles, params));
  // The counts of hydrogens must be updated, or an atom could have more of them than its valence allows.
  if (mol && bare) RDKit::MolOps::removeHs(*mol, false, true, true);
  if (!mol) throw std::runtime_error(whyMalformed(smiles));
  const unsigned atoms = mol->getNumAtoms();
  if (atoms == 0) throw std::runtime_error("molecule without atoms");
  if (atoms > PACIA_MAX_ATOMS) {
    throw std::runtime_error(std::to_string(atoms) + " atoms, more than " + std::to_string(PACIA_MAX_ATOMS));
  }
  return mol;
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

std::string reason(const std::string &text) {
  size_t begin = text.find_first_not_of(" \r\n");
  begin = begin == std::string::npos ? text.size() : begin;
  const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  begin = skipTime(text, begin, end);
  return text.substr(begin, std::min(end - begin, kReason));
}

}  // namespace pacia
