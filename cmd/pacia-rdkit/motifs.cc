#include "ask.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <GraphMol/ChemTransforms/MolFragmenter.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "motifs_parts.h"

namespace pacia {

namespace {

// Brics has the definitions of BRICS in RDKit's C++: environments of atoms, and pairs of environments
// between which a bond is cut.
struct Brics {
  std::map<unsigned int, RDKit::ROMOL_SPTR> environments;
  std::vector<RDKit::MolFragmenter::FragmenterBondType> bonds;

  Brics() {
    std::map<unsigned int, std::string> names;
    RDKit::MolFragmenter::constructBRICSAtomTypes(names, &environments);
    RDKit::MolFragmenter::constructBRICSBondTypes(bonds);
  }
};

// markBrics marks the bonds that BRICS cuts, and returns whether there are any.
bool markBrics(const RDKit::ROMol &mol, std::vector<bool> &cut) {
  static const Brics brics;
  std::map<unsigned int, bool> there;
  RDKit::MatchVectType match;
  for (const auto &[number, query] : brics.environments) there[number] = RDKit::SubstructMatch(mol, *query, match);
  bool any = false;
  std::vector<RDKit::MatchVectType> matches;
  for (const auto &kind : brics.bonds) {
    if (!there[kind.atom1Type] || !there[kind.atom2Type]) continue;
    RDKit::SubstructMatch(mol, *kind.query, matches);
    for (const auto &ends : matches) {
      cut[mol.getBondBetweenAtoms(ends[0].second, ends[1].second)->getIdx()] = any = true;
    }
  }
  return any;
}

// nameOf returns the canonical SMILES of some atoms of a Kekulé molecule and the bonds between
// them. Elements and charges are kept, and hydrogens fill the valences.
std::string nameOf(const RDKit::ROMol &kekule, const std::vector<int> &atoms) {
  RDKit::RWMol part;
  std::map<int, unsigned int> number;
  for (int a : atoms) {
    const auto *from = kekule.getAtomWithIdx(a);
    RDKit::Atom atom(from->getAtomicNum());
    atom.setFormalCharge(from->getFormalCharge());
    number[a] = part.addAtom(&atom);
  }
  for (const auto *bond : kekule.bonds()) {
    const auto a = number.find(static_cast<int>(bond->getBeginAtomIdx())), b = number.find(static_cast<int>(bond->getEndAtomIdx()));
    if (a != number.end() && b != number.end()) part.addBond(a->second, b->second, bond->getBondType());
  }
  RDKit::RWMol clean(part);
  try {
    RDKit::MolOps::sanitizeMol(clean);
    return RDKit::MolToSmiles(clean);
  } catch (const std::exception &) {  // an atom with an unusual valence: not sanitised
    part.updatePropertyCache(false);
    return RDKit::MolToSmiles(part);
  }
}

Motifs motifsOf(const RDKit::ROMol &mol) {
  Motifs m = bricsMotifs(mol);
  return m.edges.size() > 1 ? m : junctionTree(mol);
}

}  // namespace

Motifs bricsMotifs(const RDKit::ROMol &mol) {
  Motifs m;
  std::vector<bool> cut(mol.getNumBonds());
  if (!markBrics(mol, cut)) return m;
  const auto *rings = mol.getRingInfo();
  const auto ringed = [&](const RDKit::Atom *a) { return rings->numAtomRings(a->getIdx()) > 0; };
  std::vector<int> motif(mol.getNumAtoms());
  std::iota(motif.begin(), motif.end(), 0);
  for (const auto *bond : mol.bonds()) {
    const auto *a = bond->getBeginAtom(), *b = bond->getEndAtom();
    const auto branches = [&](const RDKit::Atom *x) { return !ringed(x) && x->getDegree() > 2; };
    if (cut[bond->getIdx()] || ringed(a) != ringed(b) || branches(a) || branches(b)) {
      m.edges.emplace_back(a->getIdx(), b->getIdx());
      continue;
    }
    const int from = motif[b->getIdx()], to = motif[a->getIdx()];
    std::replace(motif.begin(), motif.end(), std::max(from, to), std::min(from, to));
  }
  // So far the number of a motif is its first atom.
  std::vector<int> number(motif.size());
  for (size_t a = 0; a < motif.size(); a++) {
    if (motif[a] == static_cast<int>(a)) {
      number[a] = static_cast<int>(m.atoms.size());
      m.atoms.emplace_back();
    }
    m.atoms[number[motif[a]]].push_back(static_cast<int>(a));
  }
  for (auto &[a, b] : m.edges) {
    a = number[motif[a]];
    b = number[motif[b]];
  }
  return m;
}

void takeApart(RDKit::RWMol &mol, Answer &out) {
  const Motifs m = motifsOf(mol);
  RDKit::MolOps::Kekulize(mol, true);
  out.size(mol.getNumAtoms());
  out.size(m.atoms.size());
  out.size(m.edges.size());
  for (const auto &atoms : m.atoms) out.size(atoms.size());
  for (const auto &atoms : m.atoms) out.add(atoms.data(), atoms.size());
  for (const auto &[a, b] : m.edges) {
    out.add(a);
    out.add(b);
  }
  for (const auto &atoms : m.atoms) out.bytes += nameOf(mol, atoms) + '\n';
}

}  // namespace pacia
