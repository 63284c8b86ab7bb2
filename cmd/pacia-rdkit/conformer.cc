#include "ask.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <vector>

#include <GraphMol/Conformer.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/UFF/UFF.h>
#include <GraphMol/MolOps.h>

namespace pacia {

namespace {

// A fixed seed, so that a molecule has the same coordinates in every run.
constexpr int kSeed = 20200219;

// The number of attempts at embedding before the coordinates of a drawing are used. The
// published program tries 5,000 times, which takes a minute if all fail. Nearly all other
// molecules succeed with the first attempt.
constexpr unsigned int kAttempts = 20;

// Molecules with more atoms than this, hydrogens included, get the coordinates of a drawing, since the
// time for embedding grows with the cube of the number of atoms.
constexpr unsigned int kLargest = 400;

constexpr int kOptimiserSteps = 200;  // RDKit's own default from Python

// oneOf sets the bit of v in the one-hot code of values at bit `at`, or the last bit if v is not among them. It
// moves `at` to the end of the code.
void oneOf(int v, std::initializer_list<int> values, uint32_t &bits, int &at) {
  const auto found = std::find(values.begin(), values.end(), v);
  const auto place = found == values.end() ? values.size() - 1 : static_cast<size_t>(found - values.begin());
  bits |= uint32_t{1} << (at + static_cast<int>(place));
  at += static_cast<int>(values.size());
}

// featuresOf returns the features of Maziarka et al. They are one-hot codes of the element (B C N O F P S Cl Br I or
// another), neighbours, hydrogens and charge; the last place of each is also for all other values. Two bits mark
// atoms in a ring and aromatic atoms.
uint32_t featuresOf(const RDKit::Atom &atom, const RDKit::RingInfo &rings) {
  uint32_t bits = 0;
  int at = 0;
  oneOf(atom.getAtomicNum(), {5, 6, 7, 8, 9, 15, 16, 17, 35, 53, -1}, bits, at);
  oneOf(static_cast<int>(atom.getDegree()), {0, 1, 2, 3, 4, 5}, bits, at);
  oneOf(static_cast<int>(atom.getTotalNumHs()), {0, 1, 2, 3, 4}, bits, at);
  oneOf(atom.getFormalCharge(), {-1, 0, 1}, bits, at);
  if (rings.numAtomRings(atom.getIdx()) > 0) bits |= uint32_t{1} << at;
  at++;
  if (atom.getIsAromatic()) bits |= uint32_t{1} << at;
  return bits;
}

bool finite(const RDKit::Conformer &c, unsigned int atoms) {
  for (unsigned int i = 0; i < atoms; i++) {
    const auto &p = c.getAtomPos(i);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return false;
  }
  return true;
}

void write(const RDKit::Conformer &c, unsigned int atoms, float *place) {
  for (unsigned int i = 0; i < atoms; i++) {
    const auto &p = c.getAtomPos(i);
    *place++ = static_cast<float>(p.x);
    *place++ = static_cast<float>(p.y);
    *place++ = static_cast<float>(p.z);
  }
}

// embed computes a conformer with hydrogens, which come after the other atoms, and writes the coordinates of the
// other atoms. It returns false if there is no conformer.
bool embed(const RDKit::ROMol &mol, float *place) {
  const std::unique_ptr<RDKit::ROMol> full(RDKit::MolOps::addHs(mol));
  if (full->getNumAtoms() > kLargest) return false;
  RDKit::DGeomHelpers::EmbedParameters how;  // as EmbedMolecule from Python
  how.maxIterations = kAttempts;
  how.randomSeed = kSeed;
  how.useExpTorsionAnglePrefs = true;
  how.useBasicKnowledge = true;
  try {
    if (RDKit::DGeomHelpers::EmbedMolecule(*full, how) < 0) return false;
    const RDKit::Conformer before(full->getConformer());
    try {
      RDKit::UFF::UFFOptimizeMolecule(*full, kOptimiserSteps);
    } catch (const std::exception &) {  // an atom that the force field does not support
    }
    const auto &after = full->getConformer();
    const auto &best = finite(after, mol.getNumAtoms()) ? after : before;
    if (!finite(best, mol.getNumAtoms())) return false;
    write(best, mol.getNumAtoms(), place);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

}  // namespace

void conform(RDKit::RWMol &mol, bool plane, Answer &out) {
  const unsigned atoms = mol.getNumAtoms();
  std::vector<float> place(3 * atoms);
  if (plane || !embed(mol, place.data())) {
    plane = true;
    const unsigned int id = RDDepict::compute2DCoords(mol, nullptr, false, true);
    write(mol.getConformer(static_cast<int>(id)), atoms, place.data());
  }
  out.size(atoms);
  out.size(plane ? 1 : 0);
  for (const auto *atom : mol.atoms()) out.add(featuresOf(*atom, *mol.getRingInfo()));
  out.add(place.data(), place.size());
}

}  // namespace pacia
