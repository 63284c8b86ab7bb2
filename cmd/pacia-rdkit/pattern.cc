#include "pattern.h"

#include <algorithm>
#include <stdexcept>

#include <GraphMol/MolOps.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/QueryOps.h>
#include <GraphMol/SmilesParse/SmartsWrite.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

namespace pacia {

namespace {

using RDKit::Atom;
using RDKit::Bond;
using RDKit::RWMol;

bool isElement(const std::string &bracket) {
  const std::unique_ptr<Atom> atom(RDKit::SmilesToAtom(bracket));
  return atom && !atom->hasQuery();
}

// skeleton replaces the bracketed atoms of a SMARTS that no SMILES has, such as [CX4] and [C,N], by [*].
std::string skeleton(const std::string &smarts) {
  std::string out;
  for (size_t i = 0; i < smarts.size(); i++) {
    if (smarts[i] != '[') {
      out += smarts[i];
      continue;
    }
    const size_t begin = i;
    for (int depth = 0; i < smarts.size(); i++) {
      depth += (smarts[i] == '[') - (smarts[i] == ']');
      if (depth == 0) break;
    }
    const std::string bracket = smarts.substr(begin, i + 1 - begin);
    out += isElement(bracket) ? bracket : "[*]";
  }
  return out;
}

std::unique_ptr<RWMol> drawing(const std::string &smiles) {
  RDKit::SmilesParserParams params;
  params.sanitize = params.removeHs = params.allowCXSMILES = params.parseName = false;
  try {
    return std::unique_ptr<RWMol>(RDKit::SmilesToMol(smiles, params));
  } catch (const std::exception &) {  // it is not a SMILES
    return nullptr;
  }
}

// aromatize marks aromatic rings. It leaves a molecule as it is if RDKit cannot find its valences.
void aromatize(RWMol &mol) {
  RWMol made(mol);
  for (auto *atom : made.atoms()) {
    if (!atom->getNumExplicitHs() && !atom->getFormalCharge()) atom->setNoImplicit(false);  // SMARTS [#7] has any hydrogens
  }
  try {
    made.updatePropertyCache(false);
    RDKit::MolOps::symmetrizeSSSR(made);
    RDKit::MolOps::Kekulize(made);
    RDKit::MolOps::setAromaticity(made);
  } catch (const std::exception &) {
    return;
  }
  for (auto *atom : mol.atoms()) {
    if (made.getAtomWithIdx(atom->getIdx())->getIsAromatic()) atom->setIsAromatic(true);
  }
  for (auto *bond : mol.bonds()) {
    if (made.getBondWithIdx(bond->getIdx())->getIsAromatic()) bond->setBondType(Bond::AROMATIC);
  }
}

bool hasCharge(const RWMol &mol, const Atom &atom, int sign) {  // a neighbour with a charge of this sign
  for (const auto *other : mol.atomNeighbors(&atom)) {
    if (other->getFormalCharge() * sign > 0) return true;
  }
  return false;
}

// neutralize moves hydrogens as parentOf does: [O-] becomes [OH], and [NH3+] becomes [NH2].
void neutralize(RWMol &mol) {
  for (auto *atom : mol.atoms()) {
    const int charge = atom->getFormalCharge(), number = atom->getAtomicNum();
    const bool acid = charge == -1 && (number == 7 || number == 8 || number == 16) && !hasCharge(mol, *atom, 1);
    const bool base = charge == 1 && number == 7 && atom->getNumExplicitHs() > 0 && !hasCharge(mol, *atom, -1);
    if (!acid && !base) continue;
    atom->setFormalCharge(0);
    atom->setNumExplicitHs(atom->getNumExplicitHs() + (acid ? 1 : -1));
  }
}

// asQuery returns an atom of the second reading, with its charge or its hydrogens where they matter.
RDKit::QueryAtom asQuery(const Atom &atom, bool charge, bool hydrogens) {
  RDKit::QueryAtom query(atom.getAtomicNum());
  query.setQuery(RDKit::makeAtomTypeQuery(atom.getAtomicNum(), atom.getIsAromatic()));
  if (charge) query.expandQuery(RDKit::makeAtomFormalChargeQuery(atom.getFormalCharge()));
  if (hydrogens) query.expandQuery(RDKit::makeAtomHCountQuery(static_cast<int>(atom.getNumExplicitHs())));
  return query;
}

bool differ(const Atom &a, const Atom &b) {
  return a.getIsAromatic() != b.getIsAromatic() || a.getFormalCharge() != b.getFormalCharge() ||
         a.getNumExplicitHs() != b.getNumExplicitHs();
}

RDKit::QueryBond asQuery(const Bond &bond) {
  RDKit::QueryBond query(bond.getBondType());
  if (bond.getBondType() == Bond::SINGLE || bond.getBondType() == Bond::AROMATIC) query.setQuery(RDKit::makeSingleOrAromaticBondQuery());
  return query;
}

// edited returns a SMARTS with the changes between two states of its drawing, or null if there are none.
std::unique_ptr<RWMol> edited(const RWMol &smarts, const RWMol &before, const RWMol &after) {
  auto out = std::make_unique<RWMol>(smarts);
  bool any = false;
  for (const auto *was : before.atoms()) {
    const auto *is = after.getAtomWithIdx(was->getIdx());
    if (!was->getAtomicNum() || !differ(*was, *is)) continue;
    const bool base = was->getAtomicNum() == 7 && was->getFormalCharge() > 0;  // not [N+](C)C for [NH+](C)C
    auto query = asQuery(*is, base || is->getFormalCharge(), is->getNumExplicitHs() || was->getNumExplicitHs());
    out->replaceAtom(was->getIdx(), &query);
    any = true;
  }
  for (const auto *was : before.bonds()) {
    const auto *is = after.getBondWithIdx(was->getIdx());
    const auto *bond = out->getBondBetweenAtoms(was->getBeginAtomIdx(), was->getEndAtomIdx());
    if (!bond) return nullptr;  // impossible: both were read from one text
    if (was->getBondType() == is->getBondType()) continue;
    auto query = asQuery(*is);
    out->replaceBond(bond->getIdx(), &query);
    any = true;
  }
  return any ? std::move(out) : nullptr;
}

std::string text(const RWMol &query) {
  std::string out = RDKit::MolToSmarts(query);
  out.erase(std::remove(out.begin(), out.end(), '&'), out.end());
  return out;
}

bool isTerminal(const Atom &atom, int number, int charge) {
  return atom.getAtomicNum() == number && atom.getFormalCharge() == charge && atom.getDegree() == 1;
}

void pull(Bond &bond, Atom &from, Atom &to, Bond::BondType type) {  // electrons
  bond.setBondType(type);
  from.setFormalCharge(from.getFormalCharge() + 1);
  to.setFormalCharge(to.getFormalCharge() - 1);
}

// separate gives a nitrogen of more than three bonds its charge, as RDKit's cleanUp does for whole molecules.
bool separate(RWMol &mol, Atom &atom) {
  double bonds = atom.getNumExplicitHs();
  for (const auto *bond : mol.atomBonds(&atom)) bonds += bond->getBondTypeAsDouble();
  if (bonds < 4 && !atom.getIsAromatic()) return false;
  for (auto *bond : mol.atomBonds(&atom)) {
    auto *other = bond->getOtherAtom(&atom);
    if (bond->getBondType() == Bond::DOUBLE && isTerminal(*other, 8, 0)) return pull(*bond, atom, *other, Bond::SINGLE), true;
    if (bond->getBondType() == Bond::TRIPLE && bonds >= 5 && isTerminal(*other, 7, 0)) return pull(*bond, atom, *other, Bond::DOUBLE), true;
  }
  return false;
}

// diazo turns [N-][N+]#N into N=[N+]=[N-].
bool diazo(RWMol &mol, Atom &atom) {
  Bond *single = nullptr, *triple = nullptr;
  for (auto *bond : mol.atomBonds(&atom)) {
    const auto *other = bond->getOtherAtom(&atom);
    const int number = other->getAtomicNum();
    if (bond->getBondType() == Bond::SINGLE && other->getFormalCharge() == -1 && (number == 6 || number == 7)) single = bond;
    if (bond->getBondType() == Bond::TRIPLE && isTerminal(*other, 7, 0)) triple = bond;
  }
  if (!single || !triple) return false;
  single->setBondType(Bond::DOUBLE);
  single->getOtherAtom(&atom)->setFormalCharge(0);
  triple->setBondType(Bond::DOUBLE);
  triple->getOtherAtom(&atom)->setFormalCharge(-1);
  return true;
}

bool isHypervalent(int number) {
  return number == 15 || number == 16 || number == 17 || number == 33 || number == 34 || number == 35 || number == 52 || number == 53;
}

// join removes opposite charges of neighbours such as [S+][O-].
bool join(RWMol &mol, Atom &atom) {
  bool any = false;
  for (auto *bond : mol.atomBonds(&atom)) {
    auto *other = bond->getOtherAtom(&atom);
    if (atom.getFormalCharge() <= 0 || other->getFormalCharge() >= 0 || bond->getBondType() != Bond::SINGLE) continue;
    pull(*bond, *other, atom, Bond::DOUBLE);
    any = true;
  }
  return any;
}

}  // namespace

bool respell(RWMol &mol) {
  bool any = false;
  for (auto *atom : mol.atoms()) {
    const int number = atom->getAtomicNum(), charge = atom->getFormalCharge();
    if (number == 7 && charge == 0) any |= separate(mol, *atom);
    if (number == 7 && charge == 1) any |= diazo(mol, *atom);
    if (charge > 0 && isHypervalent(number)) any |= join(mol, *atom);
  }
  return any;
}

Pattern::Pattern(const std::string &smarts) {
  readings_.emplace_back(RDKit::SmartsToMol(smarts));
  if (!readings_[0] || readings_[0]->getNumAtoms() == 0) throw std::runtime_error("RDKit cannot read the SMARTS " + smarts);
  const std::string plain = skeleton(smarts);
  const auto before = drawing(plain);
  if (before && before->getNumAtoms() == readings_[0]->getNumAtoms() && before->getNumBonds() == readings_[0]->getNumBonds()) {
    drawn_ = plain == smarts;
    RWMol after(*before);
    respell(after);
    neutralize(after);
    aromatize(after);
    if (auto second = edited(*readings_[0], *before, after)) {
      also_ = text(*second);
      readings_.push_back(std::move(second));
    }
  }
  for (auto &reading : readings_) RDKit::MolOps::mergeQueryHs(*reading);  // a drawn hydrogen is none of RDKit's atoms
}

bool Pattern::matches(const RDKit::ROMol &mol, const RDKit::ROMol *respelt) const {
  RDKit::MatchVectType match;
  for (const auto &reading : readings_) {
    if (RDKit::SubstructMatch(mol, *reading, match)) return true;
    if (drawn_ && respelt && RDKit::SubstructMatch(*respelt, *reading, match)) return true;
  }
  return false;
}

}  // namespace pacia
