#include <algorithm>
#include <string>

#include <GraphMol/GraphMol.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/versions.h>

#include "guard.h"
#include "morgan.h"
#include "plain.h"
#include "rdkit.h"

namespace {

// readPlainly makes the molecule of pacia::read without perceiving stereochemistry: it does
// not rank atoms (CIP) or remove meaningless marks. That would take half of the time, and a
// fingerprint does not depend on it.
pacia::Mol readPlainly(const std::string &smiles) {
  pacia::Mol mol;
  {
    const pacia::Quiet quiet;
    RDKit::SmilesParserParams params;
    params.sanitize = false;
    params.removeHs = false;
    mol.reset(RDKit::SmilesToMol(smiles, params));
    // The counts of hydrogens must be updated, or an atom could have more of them than its valence allows.
    if (mol) RDKit::MolOps::removeHs(*mol, false, true, true);
  }
  return pacia::accepted(std::move(mol), smiles);
}

// Elements 1..118 have the categories 0..117; 118 is the dummy atom "*".
uint8_t atomCategory(const RDKit::Atom &atom) {
  const int number = atom.getAtomicNum();
  return static_cast<uint8_t>(number >= 1 && number <= 118 ? number - 1 : 118);
}

// Unspecified, clockwise, counter-clockwise, in RDKit's numbering; all non-tetrahedral kinds are "other".
uint8_t chiralityCategory(const RDKit::Atom &atom) {
  return static_cast<uint8_t>(std::min<int>(atom.getChiralTag(), RDKit::Atom::CHI_OTHER));
}

// Only the two slashes beside a double bond count; wedges belong to drawings.
uint8_t directionCategory(const RDKit::Bond &bond) {
  const auto direction = bond.getBondDir();
  return direction == RDKit::Bond::ENDUPRIGHT ? 1 : direction == RDKit::Bond::ENDDOWNRIGHT ? 2 : 0;
}

void writeAtoms(const RDKit::RWMol &mol, uint8_t *out) {
  for (const auto *atom : mol.atoms()) {
    *out++ = atomCategory(*atom);
    *out++ = chiralityCategory(*atom);
  }
}

void writeBonds(const RDKit::RWMol &mol, int32_t *ends, uint8_t *out) {
  for (const auto *bond : mol.bonds()) {
    *ends++ = static_cast<int32_t>(bond->getBeginAtomIdx());
    *ends++ = static_cast<int32_t>(bond->getEndAtomIdx());
    *out++ = pacia::orderOf(*bond, 4, "single, double, triple or aromatic");
    *out++ = directionCategory(*bond);
  }
}

}  // namespace

int32_t pacia_rdkit_plain(const char *smiles, int32_t length, uint8_t *atom, int32_t *ends, uint8_t *bond,
                          uint16_t *bit, uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits) {
  return pacia::guarded(PACIA_REFUSED, nullptr, 0, [&]() -> int32_t {
    thread_local pacia::Plain p;
    thread_local pacia::Structure s;
    if (!pacia::readWhole(smiles, length, p) || (atom && p.stereo)) return PACIA_REFUSED;
    *atoms = p.atoms;
    *bonds = p.bonds;
    *bits = 0;
    if (atom) pacia::writeGraph(p, atom, ends, bond);
    if (count) {
      pacia::structure(p, s);
      *bits = pacia::writeCounts(s, bit, count);
    }
    return PACIA_OK;
  });
}

int32_t pacia_rdkit_parse(const char *smiles, int32_t length, int32_t capacity, uint8_t *atom,
                          int32_t *ends, uint8_t *bond, uint16_t *bit, uint16_t *count,
                          int32_t *atoms, int32_t *bonds, int32_t *bits, char *reason,
                          int32_t reason_capacity) {
  return pacia::guarded(PACIA_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const std::string text(smiles, static_cast<size_t>(length));
    const pacia::Mol mol = atom ? pacia::read(text) : readPlainly(text);
    *atoms = static_cast<int32_t>(mol->getNumAtoms());
    *bonds = static_cast<int32_t>(mol->getNumBonds());
    if (*atoms > capacity || *bonds > capacity) return PACIA_TOO_SMALL;
    if (atom) {
      writeAtoms(*mol, atom);
      writeBonds(*mol, ends, bond);
    }
    *bits = count ? pacia::writeCounts(*mol, bit, count) : 0;
    return PACIA_OK;
  });
}

const char *pacia_rdkit_version(void) { return RDKit::rdkitVersion; }
