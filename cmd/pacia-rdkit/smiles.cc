#include "ask.h"

#include <algorithm>
#include <vector>

#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/StereoGroup.h>

namespace pacia {

namespace {

using RDKit::RWMol;
using RDKit::StereoGroup;

// kInverted is the largest number of stereo groups that are inverted in turn to find one SMILES for all drawings.
constexpr size_t kInverted = 6;

// relative returns the groups of centres whose relation alone is known. Other centres are absolute anyway.
std::vector<StereoGroup> relative(const RDKit::ROMol &mol) {
  std::vector<StereoGroup> kept;
  for (const auto &group : mol.getStereoGroups()) {
    if (group.getGroupType() != RDKit::StereoGroupType::STEREO_ABSOLUTE) kept.push_back(group);
  }
  return kept;
}

std::string extended(const RDKit::ROMol &mol) {
  return RDKit::MolToCXSmiles(mol, RDKit::SmilesWriteParams(), RDKit::SmilesWrite::CX_ENHANCEDSTEREO);
}

}  // namespace

std::string smilesOf(const RDKit::ROMol &mol) {
  if (mol.getStereoGroups().empty()) return RDKit::MolToSmiles(mol);
  RWMol kept(mol);
  kept.setStereoGroups(relative(mol));
  return kept.getStereoGroups().empty() ? RDKit::MolToSmiles(kept) : extended(kept);
}

std::string identityOf(const RDKit::ROMol &mol) {
  std::string best = smilesOf(mol);
  const size_t n = relative(mol).size();
  if (n == 0 || n > kInverted) return best;
  for (unsigned inverted = 1; inverted < 1u << n; inverted++) {
    RWMol other(mol);
    other.setStereoGroups(relative(other));
    for (size_t g = 0; g < n; g++) {
      if (!(inverted >> g & 1)) continue;
      for (const auto *atom : other.getStereoGroups()[g].getAtoms()) other.getAtomWithIdx(atom->getIdx())->invertChirality();
    }
    best = std::min(best, extended(other));
  }
  return best;
}

}  // namespace pacia
