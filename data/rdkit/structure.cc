#include "ask.h"

#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "alerts.h"
#include "descriptors_parts.h"

namespace pacia {

namespace {

using Pattern = std::shared_ptr<const RDKit::ROMol>;

// kPatterns is the number of parsed patterns that a thread keeps.
constexpr size_t kPatterns = 64;

Pattern pattern(const std::string &smarts) {
  thread_local std::map<std::string, Pattern> known;
  const auto found = known.find(smarts);
  if (found != known.end()) return found->second;
  if (known.size() >= kPatterns) known.clear();
  const Pattern made(RDKit::SmartsToMol(smarts));
  if (!made || made->getNumAtoms() == 0) throw std::runtime_error("RDKit cannot read the SMARTS " + smarts);
  return known[smarts] = made;
}

// wanted reports whether all patterns after + match, and none after -. It parses all
// patterns for every molecule, so that a malformed one is always found.
bool wanted(const RDKit::ROMol &mol, const std::string &patterns) {
  std::istringstream lines(patterns);
  bool all = true;
  for (std::string line; std::getline(lines, line);) {
    const Pattern p = pattern(line.substr(1));
    RDKit::MatchVectType match;
    all = all && RDKit::SubstructMatch(mol, *p, match) == (line[0] == '+');
  }
  return all;
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

std::string scaffold(const RDKit::ROMol &mol) {
  const std::unique_ptr<const RDKit::ROMol> found(RDKit::MurckoDecompose(mol));
  return "\n" + (found ? RDKit::MolToSmiles(*found) : std::string());
}

}  // namespace

void structure(const RDKit::RWMol &mol, const std::string &patterns, int32_t what, Answer &out) {
  if (!wanted(mol, patterns)) return;
  if (what & PACIA_STRUCTURE_PROPERTIES) out.bytes += properties(mol);
  if (what & PACIA_STRUCTURE_ALERTS) out.bytes += alerts(mol);
  if (what & PACIA_STRUCTURE_CATALOG) out.bytes += alertsByCatalog(mol);
  if (what & PACIA_STRUCTURE_SCAFFOLD) out.bytes += scaffold(mol);
  if (out.bytes.empty()) out.bytes = "\n";
}

}  // namespace pacia
