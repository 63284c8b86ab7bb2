#include "ask.h"

#include <algorithm>
#include <vector>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Tautomer.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "parent.h"

namespace pacia {

namespace {

// weight returns the sum of the atomic numbers. Among fragments with equally many heavy atoms,
// the one with the largest weight counts as the largest.
int weight(const RDKit::ROMol &mol) {
  int sum = 0;
  for (const auto *atom : mol.atoms()) {
    sum += atom->getAtomicNum();
  }
  return sum;
}

// kDrawn is the largest number of atoms for which coordinates are computed: a chain of 900 takes RDKit 4 s.
constexpr unsigned kDrawn = 250;

// block returns a molblock, V2000 if the molecule fits, with coordinates in the plane unless
// the molecule is too large.
std::string block(RDKit::RWMol &mol) {
  if (mol.getNumAtoms() <= kDrawn) RDDepict::compute2DCoords(mol);
  return RDKit::MolToMolBlock(mol);
}

// The numbers of tautomers and of transforms after which no more are tried. RDKit's, 1,000 and 1,000, take three times as
// long in the mean, and find the drawing in FS-Mol's files of 121 of 133 molecules of Tox21, these of 119.
constexpr unsigned kTautomers = 64, kTransforms = 128;

// write returns a molblock, or the SMILES of the molecule, of its parent or of its largest fragment. The
// largest fragment has the most heavy atoms, then the largest weight; among equals it is the first one.
std::string write(RDKit::RWMol &mol, int32_t how) {
  if (how & PACIA_REWRITE_TO_BLOCK) {
    return block(mol);
  }
  if (how & PACIA_REWRITE_PARENT) {
    const std::string parent = smilesOf(*parentOf(mol));
    return parent == smilesOf(mol) ? "" : parent;
  }
  if (how & PACIA_REWRITE_TAUTOMER) {
    RDKit::MolStandardize::TautomerEnumerator tautomers;
    tautomers.setMaxTautomers(kTautomers);
    tautomers.setMaxTransforms(kTransforms);
    return RDKit::MolToSmiles(*std::unique_ptr<RDKit::ROMol>(tautomers.canonicalize(mol)), false);
  }
  if (!(how & PACIA_REWRITE_LARGEST)) {
    return how == 0 ? identityOf(mol) : smilesOf(mol);
  }
  const std::vector<RDKit::ROMOL_SPTR> fragments = RDKit::MolOps::getMolFrags(mol);
  const auto smaller = [](const RDKit::ROMOL_SPTR &a, const RDKit::ROMOL_SPTR &b) {
    const auto heavy = [](const RDKit::ROMol &m) { return m.getNumHeavyAtoms(); };
    return heavy(*a) != heavy(*b) ? heavy(*a) < heavy(*b) : weight(*a) < weight(*b);
  };
  return smilesOf(**std::max_element(fragments.begin(), fragments.end(), smaller));
}

}  // namespace

void rewrite(RDKit::RWMol &mol, int32_t how, int32_t lost, Answer &out) {
  if (how & PACIA_REWRITE_BLOCK) out.add(static_cast<uint8_t>(lost));
  out.bytes += write(mol, how);
}

}  // namespace pacia
