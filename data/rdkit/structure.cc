#include "structure.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/FilterCatalog/FilterCatalog.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "descriptors_parts.h"
#include "guard.h"
#include "parse.h"

namespace {

using Pattern = std::shared_ptr<const RDKit::ROMol>;

// kPatterns is how many patterns a thread keeps.
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

// wanted reports whether all patterns after + match, and none after -. It reads all
// patterns first, so that a wrong one is found with any molecule.
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
  return text + number("\n%.3f", pacia::qed(mol));
}

std::string alerts(const RDKit::ROMol &mol) {
  using Params = RDKit::FilterCatalogParams;
  static const RDKit::FilterCatalog catalogs[] = {
      RDKit::FilterCatalog(Params::PAINS), RDKit::FilterCatalog(Params::BRENK), RDKit::FilterCatalog(Params::NIH)};
  std::string text;
  for (const auto &catalog : catalogs) {
    text += "\n";
    const char *between = "";
    for (const auto &entry : catalog.getMatches(mol)) {
      text += between + entry->getDescription();
      between = "; ";
    }
  }
  return text;
}

std::string scaffold(const RDKit::ROMol &mol) {
  const std::unique_ptr<const RDKit::ROMol> found(RDKit::MurckoDecompose(mol));
  return "\n" + (found ? RDKit::MolToSmiles(*found) : std::string());
}

}  // namespace

int32_t pacia_rdkit_structure(const char *smiles, int32_t length, const char *patterns, int32_t patterns_length,
                              int32_t what, char *text, int32_t capacity, int32_t *size, char *reason,
                              int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const std::unique_ptr<const RDKit::ROMol> mol(
        RDKit::SmilesToMol(std::string(smiles, static_cast<size_t>(length)), RDKit::SmilesParserParams()));
    if (!mol) throw std::runtime_error("RDKit cannot read it");
    std::string out;
    if (wanted(*mol, std::string(patterns, static_cast<size_t>(patterns_length)))) {
      if (what & PACIA_STRUCTURE_PROPERTIES) out += properties(*mol);
      if (what & PACIA_STRUCTURE_ALERTS) out += alerts(*mol);
      if (what & PACIA_STRUCTURE_SCAFFOLD) out += scaffold(*mol);
      if (out.empty()) out = "\n";
    }
    *size = static_cast<int32_t>(out.size());
    if (*size > capacity) return PACIA_PARSE_TOO_SMALL;
    std::memcpy(text, out.data(), out.size());
    return PACIA_PARSE_OK;
  });
}
