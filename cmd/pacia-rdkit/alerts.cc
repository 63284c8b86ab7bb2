#include "alerts.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <DataStructs/BitOps.h>
#include <DataStructs/ExplicitBitVect.h>
#include <GraphMol/FilterCatalog/FilterCatalog.h>
#include <GraphMol/Fingerprints/Fingerprints.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

// The sources of RDKit's catalogues, from FilterCatalog/Filters.h, which is not installed. The
// functions are exported by libRDKitFilterCatalog.
namespace RDKit {
struct FilterData_t {
  const char *name;
  const char *smarts;
  unsigned int max;
  const char *comment;
};
unsigned int GetNumEntries(FilterCatalogParams::FilterCatalogs catalog);
const FilterData_t *GetFilterData(FilterCatalogParams::FilterCatalogs catalog);
}  // namespace RDKit

// A pattern is only searched for if the molecule has all bits of the pattern's fingerprint, which
// RDKit makes for this purpose (SubstructLibrary). This takes an eighth of the time.

namespace pacia {
namespace {

using Params = RDKit::FilterCatalogParams;

struct Filter {
  std::string name;
  std::unique_ptr<const RDKit::ROMol> pattern;
  unsigned least;  // smallest number of matches
  std::unique_ptr<const ExplicitBitVect> bits;
};

std::vector<Filter> filtersOf(std::initializer_list<Params::FilterCatalogs> catalogs) {
  std::vector<Filter> all;
  for (const auto catalog : catalogs) {
    const RDKit::FilterData_t *data = RDKit::GetFilterData(catalog);
    for (unsigned i = 0; i < RDKit::GetNumEntries(catalog); ++i) {
      std::unique_ptr<const RDKit::ROMol> pattern(RDKit::SmartsToMol(data[i].smarts, 0, true));
      if (!pattern) continue;
      std::unique_ptr<const ExplicitBitVect> bits(RDKit::PatternFingerprintMol(*pattern));
      all.push_back({data[i].name, std::move(pattern), data[i].max ? data[i].max + 1 : 1, std::move(bits)});
    }
  }
  return all;
}

bool matches(const RDKit::ROMol &mol, const Filter &f) {
  if (f.least == 1) {
    RDKit::MatchVectType match;
    return RDKit::SubstructMatch(mol, *f.pattern, match);
  }
  std::vector<RDKit::MatchVectType> all;
  return RDKit::SubstructMatch(mol, *f.pattern, all) >= f.least;
}

}  // namespace

std::string alerts(const RDKit::ROMol &mol) {
  static const std::vector<Filter> catalogs[] = {
      filtersOf({Params::PAINS_A, Params::PAINS_B, Params::PAINS_C}), filtersOf({Params::BRENK}), filtersOf({Params::NIH})};
  const std::unique_ptr<const ExplicitBitVect> bits(RDKit::PatternFingerprintMol(mol));
  std::string text;
  for (const auto &catalog : catalogs) {
    text += "\n";
    const char *between = "";
    for (const auto &f : catalog) {
      if (!AllProbeBitsMatch(*f.bits, *bits) || !matches(mol, f)) continue;
      text += between + f.name;
      between = "; ";
    }
  }
  return text;
}

std::string alertsByCatalog(const RDKit::ROMol &mol) {
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

}  // namespace pacia
