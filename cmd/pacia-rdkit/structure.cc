#include "ask.h"

#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "alerts.h"
#include "descriptors_parts.h"
#include "pattern.h"

namespace pacia {

namespace {

// kPatterns is the number of parsed patterns that a thread keeps.
constexpr size_t kPatterns = 64;

const Pattern &pattern(const std::string &smarts) {
  thread_local std::map<std::string, Pattern> known;
  const auto found = known.find(smarts);
  if (found != known.end()) return found->second;
  if (known.size() >= kPatterns) known.clear();
  return known.emplace(smarts, Pattern(smarts)).first->second;
}

// respelt returns a molecule after respell, or null if that changes nothing.
std::unique_ptr<RDKit::RWMol> respelt(const RDKit::RWMol &mol) {
  bool charged = false;  // otherwise a copy is not needed
  for (const auto *atom : mol.atoms()) charged = charged || atom->getFormalCharge() > 0;
  if (!charged) return nullptr;
  auto made = std::make_unique<RDKit::RWMol>(mol);
  if (!respell(*made)) return nullptr;
  made->updatePropertyCache(false);
  return made;
}

// fits appends 1 for each pattern that is fulfilled and 0 for each other one, and reports whether all are. A pattern
// after + must match, and one after - must not.
bool fits(const RDKit::RWMol &mol, const std::string &patterns, std::string &out) {
  const auto other = patterns.empty() ? nullptr : respelt(mol);
  std::istringstream lines(patterns);
  bool all = true;
  for (std::string line; std::getline(lines, line);) {
    const bool fulfilled = pattern(line.substr(1)).matches(mol, other.get()) == (line[0] == '+');
    out += fulfilled ? '1' : '0';
    all = all && fulfilled;
  }
  return all;
}

std::string readings(const std::string &patterns) {
  std::istringstream lines(patterns);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "\n" + pattern(line.substr(1)).also();
  return out;
}

std::string number(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string properties(const RDKit::ROMol &mol) {
  using namespace RDKit::Descriptors;
  double logP, refractivity;
  calcCrippenDescriptors(mol, logP, refractivity);
  std::string text;
  for (const double value : {calcAMW(mol), logP, calcTPSA(mol)}) text += number("\n%.2f", value);
  for (const unsigned count : {calcNumHBD(mol), calcNumHBA(mol), calcNumRings(mol)}) text += "\n" + std::to_string(count);
  return text + number("\n%.3f", qed(mol));
}

// scaffold returns the Murcko scaffold without stereochemistry, since RDKit keeps E or Z in it or not by the spelling. It
// also cuts off the oxygen of [S+][O-] and of [n+][O-], and leaves a cation. So sulfoxides are S=O here, whose oxygen is
// kept, and [nH+] loses its proton.
std::string scaffold(const RDKit::ROMol &mol) {
  RDKit::RWMol neutral(mol);
  respell(neutral);
  const std::unique_ptr<RDKit::ROMol> found(RDKit::MurckoDecompose(neutral));
  if (!found) return "\n";
  found->updatePropertyCache(false);
  for (auto *atom : found->atoms()) {
    if (atom->getFormalCharge() != 1 || atom->getTotalNumHs() == 0) continue;
    atom->setFormalCharge(0);
    atom->setNumExplicitHs(0);
    atom->setNoImplicit(atom->getAtomicNum() == 7 && atom->getIsAromatic());
  }
  found->updatePropertyCache(false);
  RDKit::SmilesWriteParams params;
  params.doIsomericSmiles = false;
  return "\n" + RDKit::MolToSmiles(*found, params);
}

}  // namespace

void structure(const RDKit::RWMol &mol, const std::string &patterns, int32_t what, Answer &out) {
  if (what & PACIA_STRUCTURE_READINGS) {
    out.bytes += readings(patterns);
    return;
  }
  if (!fits(mol, patterns, out.bytes)) return;
  const size_t cells = out.bytes.size();
  if (what & PACIA_STRUCTURE_PROPERTIES) out.bytes += properties(mol);
  if (what & PACIA_STRUCTURE_ALERTS) out.bytes += alerts(mol);
  if (what & PACIA_STRUCTURE_CATALOG) out.bytes += alertsByCatalog(mol);
  if (what & PACIA_STRUCTURE_SCAFFOLD) out.bytes += scaffold(mol);
  if (out.bytes.size() == cells) out.bytes += "\n";
}

}  // namespace pacia
