#include "parent.h"

#include <set>
#include <string>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/MolStandardize/Fragment.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

namespace pacia {
namespace {

using RDKit::ROMol;
using RDKit::RWMol;
namespace standard = RDKit::MolStandardize;

// kCounterions are acids, bases and solvents that occur in salts of drugs and are missing in RDKit's list, without
// charges and stereochemistry.
constexpr const char *kCounterions[] = {
    // Inorganic acids and bases.
    "Cl", "Br", "I", "F", "O", "N", "OO", "S", "OS(O)(=O)=O", "OP(O)(O)=O", "O[N+](=O)[O-]", "OCl(=O)(=O)=O", "OC(O)=O", "OB(O)O", "SC#N", "N=C=S", "[B-](F)(F)(F)F",
    // Carboxylic acids.
    "OC=O", "CC(O)=O", "CCC(O)=O", "OC(=O)C(F)(F)F", "OC(=O)C(Cl)(Cl)Cl", "OC(=O)C(O)=O", "OC(=O)CC(O)=O", "OC(=O)CCC(O)=O", "OC(=O)C=CC(O)=O", "OC(=O)CCCC(O)=O", "OC(=O)CCCCC(O)=O",
    "OC(C(O)C(O)=O)C(O)=O", "OC(CC(O)=O)C(O)=O", "OC(=O)CC(O)(CC(O)=O)C(O)=O", "CC(O)C(O)=O", "OCC(O)=O", "OCC(O)C(O)C(O)C(O)C(O)=O", "OC(C(O)=O)c1ccccc1", "OC(=O)c1ccccc1",
    "OC(=O)c1ccccc1O", "OC(=O)c1cc(O)ccc1O", "OC(=O)CNC(=O)c1ccccc1", "OC(=O)C=Cc1ccccc1", "OC(=O)c1cccnc1", "OC(=O)c1ccc2ccccc2c1O", "CCCCCCCCCCCCCCCC(O)=O",
    "CCCCCCCCCCCCCCCCCC(O)=O", "CCCCCCC=CCCCCCCCCC(O)=O", "CCCCCCCCC=CCCCCCCCC(O)=O", "OC(=O)c1cc2ccccc2c(Cc2c(O)c(C(O)=O)cc3ccccc23)c1O", "OC1OC(C(O)=O)C(O)C(O)C1O",
    "OCC(O)C1OC(=O)C(O)=C1O", "OCC1OC(OC(C(O)CO)C(O)C(O)C(O)=O)C(O)C(O)C1O", "OC(=O)c1cc(=O)[nH]c(=O)[nH]1",
    // Sulfonic acids and the like.
    "CS(O)(=O)=O", "CCS(O)(=O)=O", "OCCS(O)(=O)=O", "OS(=O)(=O)CCS(O)(=O)=O", "OS(=O)(=O)C(F)(F)F", "OS(=O)(=O)c1ccccc1", "Cc1ccc(cc1)S(O)(=O)=O", "OS(=O)(=O)c1cccc2ccccc12",
    "OS(=O)(=O)c1ccc2ccccc2c1", "OS(=O)(=O)c1cccc2c1cccc2S(O)(=O)=O", "CC1(C)C2CCC1(CS(O)(=O)=O)C(=O)C2", "OS(=O)(=O)NC1CCCCC1", "O=C1NS(=O)(=O)c2ccccc12", "COS(O)(=O)=O",
    "CCCCCCCCCCCCOS(O)(=O)=O",
    // Bases.
    "CCN(CC)CC", "CCNCC", "CN(C)C", "CNC", "NCCO", "OCCNCCO", "OCCN(CCO)CCO", "CN(C)CCO", "NC(CO)(CO)CO", "CNCC(O)C(O)C(O)C(O)CO", "NCCN", "C1CNCCN1", "C[N+](C)(C)CCO",
    "C(CNCc1ccccc1)NCc1ccccc1", "C1CCC(CC1)NC1CCCCC1", "CC(C)(C)N", "NCCCCC(N)C(O)=O", "NC(=N)NCCCC(N)C(O)=O", "NC(CCC(O)=O)C(O)=O", "NC(CC(O)=O)C(O)=O", "CCN(C(C)C)C(C)C", "c1ccncc1",
    "C1COCCN1", "CN1CCOCC1", "CCCC[N+](CCCC)(CCCC)CCCC", "C[N+](C)(C)C", "CC[N+](CC)(CC)CC",
    // Solvents.
    "CO", "CCO", "CCCO", "CC(C)O", "CCCCO", "OCCO", "CC(O)CO", "OCC(O)CO", "ClCCl", "ClC(Cl)Cl", "CC#N", "CC(C)=O", "CCC(C)=O", "CCOC(C)=O", "CCOCC", "COC(C)(C)C", "C1CCOC1",
    "C1COCCO1", "CN(C)C=O", "CC(=O)N(C)C", "CS(C)=O", "CN1CCCC1=O", "c1ccccc1", "Cc1ccccc1", "Cc1ccccc1C", "CCCCCC", "CCCCCCC", "C1CCCCC1", "CCCCC",
};

const standard::Uncharger &uncharger() {
  static const standard::Uncharger one;
  return one;
}

std::unique_ptr<ROMol> uncharged(const ROMol &mol) {
  standard::Uncharger own(uncharger());
  return std::unique_ptr<ROMol>(own.uncharge(mol));
}

// constitution returns a SMILES without stereochemistry, and without charges that can be removed.
std::string constitution(const ROMol &mol) {
  RDKit::SmilesWriteParams params;
  params.doIsomericSmiles = false;
  return RDKit::MolToSmiles(*uncharged(mol), params);
}

const std::set<std::string> &counterions() {
  static const std::set<std::string> all = [] {
    std::set<std::string> made;
    for (const char *smiles : kCounterions) {
      const std::unique_ptr<ROMol> mol(RDKit::SmilesToMol(smiles));
      if (mol) made.insert(constitution(*mol));
    }
    return made;
  }();
  return all;
}

// isAlkali reports whether an atomic number is that of Li, Na, K, Rb or Cs.
bool isAlkali(int number) { return number == 3 || number == 11 || number == 19 || number == 37 || number == 55; }

// disconnect removes bonds of alkali metals to N, O and S.
void disconnect(RWMol &mol) {
  std::vector<std::pair<unsigned, unsigned>> bonds;
  for (const auto *bond : mol.bonds()) {
    const auto *a = bond->getBeginAtom(), *b = bond->getEndAtom();
    if (isAlkali(b->getAtomicNum())) std::swap(a, b);
    const int other = b->getAtomicNum();
    if (isAlkali(a->getAtomicNum()) && (other == 7 || other == 8 || other == 16)) bonds.emplace_back(a->getIdx(), b->getIdx());
  }
  for (const auto &[metal, other] : bonds) {
    mol.removeBond(metal, other);
    mol.getAtomWithIdx(metal)->setFormalCharge(1);
    mol.getAtomWithIdx(metal)->setNoImplicit(true);
    mol.getAtomWithIdx(other)->setFormalCharge(-1);
  }
  if (!bonds.empty()) RDKit::MolOps::sanitizeMol(mol);
}

// withoutSalts removes the fragments in both lists, repeated fragments and single atoms, unless nothing would be left.
std::unique_ptr<ROMol> withoutSalts(const ROMol &mol) {
  static thread_local standard::FragmentRemover remover("", true, true);
  std::unique_ptr<ROMol> left(remover.remove(mol));
  std::vector<RDKit::ROMOL_SPTR> kept, all = RDKit::MolOps::getMolFrags(*left);
  std::set<std::string> seen;
  for (const auto &fragment : all) {
    if (fragment->getNumHeavyAtoms() > 1 && !counterions().count(constitution(*fragment)) && seen.insert(RDKit::MolToSmiles(*fragment)).second) {
      kept.push_back(fragment);
    }
  }
  if (kept.empty() || kept.size() == all.size()) return left;
  auto joined = std::make_unique<RWMol>(*kept.front());
  for (size_t i = 1; i < kept.size(); i++) joined->insertMol(*kept[i]);
  return joined;
}

}  // namespace

std::unique_ptr<RWMol> parentOf(const RWMol &mol) {
  RWMol apart(mol);
  disconnect(apart);
  std::unique_ptr<ROMol> left;
  if (RDKit::MolOps::getMolFrags(apart).size() > 1) left = withoutSalts(apart);
  const std::unique_ptr<ROMol> out = uncharged(left ? *left : apart);
  auto made = std::make_unique<RWMol>(*out);
  RDKit::MolOps::sanitizeMol(*made);
  return made;
}

}  // namespace pacia
