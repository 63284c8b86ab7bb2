#include "chem.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

namespace {

using namespace RDKit;

// RDKit reports each molecule that it refuses on standard error; the caller
// gets the same as a message.
void silence() {
  static const bool done = [] {
    boost::logging::disable_logs("rdApp.*");
    return true;
  }();
  (void)done;
}

int count_matches(const ROMol &molecule, const ROMol &pattern) {
  std::vector<MatchVectType> found;
  return static_cast<int>(SubstructMatch(molecule, pattern, found, true));
}

void describe(const ROMol &m, double *v) {
  v[PACIA_HEAVY_ATOMS] = m.getNumHeavyAtoms();
  double logp = 0, refractivity = 0;
  Descriptors::calcCrippenDescriptors(m, logp, refractivity);
  v[PACIA_LOGP] = logp;
  v[PACIA_TPSA] = Descriptors::calcTPSA(m);
  v[PACIA_DONORS] = Descriptors::calcNumHBD(m);
  v[PACIA_ACCEPTORS] = Descriptors::calcNumHBA(m);
  v[PACIA_ROTATABLE] = Descriptors::calcNumRotatableBonds(m);
  v[PACIA_RINGS] = Descriptors::calcNumRings(m);
  v[PACIA_AROMATIC_RINGS] = Descriptors::calcNumAromaticRings(m);
  v[PACIA_FRACTION_CSP3] = Descriptors::calcFractionCSP3(m);
  v[PACIA_STEREOCENTRES] = 0;
  for (const Atom *atom : m.atoms())
    v[PACIA_STEREOCENTRES] += atom->getChiralTag() != Atom::CHI_UNSPECIFIED;
}

}  // namespace

const char *pacia_chem_version(void) { return RDKit::rdkitVersion; }

void *pacia_chem_pattern(const char *smarts) {
  try {
    silence();
    return SmartsToMol(smarts);
  } catch (...) {
    return nullptr;
  }
}

char *pacia_chem_describe(const char *smiles, void *const *patterns, int n,
                          char **canonical, double *values, int *matches) {
  *canonical = nullptr;
  try {
    silence();
    std::unique_ptr<ROMol> m(SmilesToMol(smiles));
    if (!m) return strdup("not a SMILES string");
    // The canonical string is read back, so that tags of atoms that are no
    // stereocentres are gone and a reader of the file sees the same molecule.
    const std::string text = MolToSmiles(*m);
    m.reset(SmilesToMol(text));
    if (!m) return strdup("its canonical SMILES does not parse");
    describe(*m, values);
    for (int i = 0; i < n; i++)
      matches[i] = count_matches(*m, *static_cast<const ROMol *>(patterns[i]));
    *canonical = strdup(text.c_str());
    return nullptr;
  } catch (const std::exception &e) {
    return strdup(e.what());
  } catch (...) {
    return strdup("unknown error in RDKit");
  }
}
