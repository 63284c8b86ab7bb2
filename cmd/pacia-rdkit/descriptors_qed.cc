#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "descriptors_parts.h"

namespace pacia {

namespace {

using Patterns = std::vector<std::unique_ptr<const RDKit::ROMol>>;

// Both lists are from RDKit's module Chem.QED (2022.09). Copyright (c) 2009-2017, Novartis
// Institutes for BioMedical Research Inc.; BSD licence, see LICENSE.RDKit.
const char *const kAcceptors[] = {
    "[oH0;X2]",      "[OH1;X2;v2]",   "[OH0;X2;v2]", "[OH0;X1;v2]",   "[O-;X1]",
    "[SH0;X2;v2]",   "[SH0;X1;v2]",   "[S-;X1]",     "[nH0;X2]",      "[NH0;X1;v3]",
    "[$([N;+0;X3;v3]);!$(N[C,S]=O)]",
};

const char *const kAlerts[] = {
    "*1[O,S,N]*1",
    "[S,C](=[O,S])[F,Br,Cl,I]",
    "[CX4][Cl,Br,I]",
    "[#6]S(=O)(=O)O[#6]",
    "[$([CH]),$(CC)]#CC(=O)[#6]",
    "[$([CH]),$(CC)]#CC(=O)O[#6]",
    "n[OH]",
    "[$([CH]),$(CC)]#CS(=O)(=O)[#6]",
    "C=C(C=O)C=O",
    "n1c([F,Cl,Br,I])cccc1",
    "[CH1](=O)",
    "[#8][#8]",
    "[C;!R]=[N;!R]",
    "[N!R]=[N!R]",
    "[#6](=O)[#6](=O)",
    "[#16][#16]",
    "[#7][NH2]",
    "C(=O)N[NH2]",
    "[#6]=S",
    "[$([CH2]),$([CH][CX4]),$(C([CX4])[CX4])]=[$([CH2]),$([CH][CX4]),$(C([CX4])[CX4])"
     "]",
    "C1(=[O,N])C=CC(=[O,N])C=C1",
    "C1(=[O,N])C(=[O,N])C=CC=C1",
    "a21aa3a(aa1aaaa2)aaaa3",
    "a31a(a2a(aa1)aaaa2)aaaa3",
    "a1aa2a3a(a1)A=AA=A3=AA=A2",
    "c1cc([NH2])ccc1",
    "[Hg,Fe,As,Sb,Zn,Se,se,Te,B,Si,Na,Ca,Ge,Ag,Mg,K,Ba,Sr,Be,Ti,Mo,Mn,Ru,Pd,Ni,Cu,Au,"
     "Cd,Al,Ga,Sn,Rh,Tl,Bi,Nb,Li,Pb,Hf,Ho]",
    "I",
    "OS(=O)(=O)[O-]",
    "[N+](=O)[O-]",
    "C(=O)N[OH]",
    "C1NC(=O)NC(=O)1",
    "[SH]",
    "[S-]",
    "c1ccc([Cl,Br,I,F])c([Cl,Br,I,F])c1[Cl,Br,I,F]",
    "c1cc([Cl,Br,I,F])cc([Cl,Br,I,F])c1[Cl,Br,I,F]",
    "[CR1]1[CR1][CR1][CR1][CR1][CR1][CR1]1",
    "[CR1]1[CR1][CR1]cc[CR1][CR1]1",
    "[CR2]1[CR2][CR2][CR2][CR2][CR2][CR2][CR2]1",
    "[CR2]1[CR2][CR2]cc[CR2][CR2][CR2]1",
    "[CH2R2]1N[CH2R2][CH2R2][CH2R2][CH2R2][CH2R2]1",
    "[CH2R2]1N[CH2R2][CH2R2][CH2R2][CH2R2][CH2R2][CH2R2]1",
    "C#C",
    "[OR2,NR2]@[CR2]@[CR2]@[OR2,NR2]@[CR2]@[CR2]@[OR2,NR2]",
    "[$([N+R]),$([n+R]),$([N+]=C)][O-]",
    "[#6]=N[OH]",
    "[#6]=NOC=O",
    "[#6](=O)[CX4,CR0X3,O][#6](=O)",
    "c1ccc2c(c1)ccc(=O)o2",
    "[O+,o+,S+,s+]",
    "N=C=O",
    "[NX3,NX4][F,Cl,Br,I]",
    "c1ccccc1OC(=O)[#6]",
    "[CR0]=[CR0][CR0]=[CR0]",
    "[C+,c+,C-,c-]",
    "N=[N+]=[N-]",
    "C12C(NC(N1)=O)CSC2",
    "c1c([OH])c([OH,NH2,NH])ccc1",
    "P",
    "[N,O,S]C#N",
    "C=C=O",
    "[Si][F,Cl,Br,I]",
    "[SX2]O",
    "[SiR0,CR0](c1ccccc1)(c2ccccc2)(c3ccccc3)",
    "O1CCCCC1OC2CCC3CCCCC3C2",
    "N=[CR0][N,n,O,S]",
    "[cR2]1[cR2][cR2]([Nv3X3,Nv4X4])[cR2][cR2][cR2]1[cR2]2[cR2][cR2][cR2]([Nv3X3,Nv4X"
     "4])[cR2][cR2]2",
    "C=[C!r]C#N",
    "[cR2]1[cR2]c([N+0X3R0,nX3R0])c([N+0X3R0,nX3R0])[cR2][cR2]1",
    "[cR2]1[cR2]c([N+0X3R0,nX3R0])[cR2]c([N+0X3R0,nX3R0])[cR2]1",
    "[cR2]1[cR2]c([N+0X3R0,nX3R0])[cR2][cR2]c1([N+0X3R0,nX3R0])",
    "[OH]c1ccc([OH,NH2,NH])cc1",
    "c1ccccc1OC(=O)O",
    "[SX2H0][N]",
    "c12ccccc1(SC(S)=N2)",
    "c12ccccc1(SC(=S)N2)",
    "c1nnnn1C=O",
    "s1c(S)nnc1NC=O",
    "S1C=CSC1=S",
    "C(=O)Onnn",
    "OS(=O)(=O)C(F)(F)F",
    "N#CC[OH]",
    "N#CC(=O)",
    "S(=O)(=O)C#N",
    "N[CH2]C#N",
    "C1(=O)NCC1",
    "S(=O)(=O)[O-,OH]",
    "NC[F,Cl,Br,I]",
    "C=[C!r]O",
    "[NX2+0]=[O+0]",
    "[OR0,NR0][OR0,NR0]",
    "C(=O)O[C,H1].C(=O)O[C,H1].C(=O)O[C,H1]",
    "[CX2R0][NX3R0]",
    "c1ccccc1[C;!R]=[C;!R]c2ccccc2",
    "[NX3R0,NX4R0,OR0,SX2R0][CX4][NX3R0,NX4R0,OR0,SX2R0]",
    "[s,S,c,C,n,N,o,O]~[n+,N+](~[s,S,c,C,n,N,o,O])(~[s,S,c,C,n,N,o,O])~[s,S,c,C,n,N,o"
     ",O]",
    "[s,S,c,C,n,N,o,O]~[nX3+,NX3+](~[s,S,c,C,n,N])~[s,S,c,C,n,N]",
    "[*]=[N+]=[*]",
    "[SX3](=O)[O-,OH]",
    "N#N",
    "F.F.F.F",
    "[R0;D2][R0;D2][R0;D2][R0;D2]",
    "[cR,CR]~C(=O)NC(=O)~[cR,CR]",
    "C=!@CC=[O,S]",
    "[#6,#8,#16][#6](=O)O[#6]",
    "c[C;R0](=[O,S])[#6]",
    "c[SX2][C;!R]",
    "C=C=C",
    "c1nc([F,Cl,Br,I,S])ncc1",
    "c1ncnc([F,Cl,Br,I,S])c1",
    "c1nc(c2c(n1)nc(n2)[F,Cl,Br,I])",
    "[#6]S(=O)(=O)c1ccc(cc1)F",
    "[15N]",
    "[13C]",
    "[18O]",
    "[34S]",
};

template <size_t N>
Patterns read(const char *const (&list)[N]) {
  Patterns all;
  for (const char *smarts : list) all.emplace_back(RDKit::SmartsToMol(smarts));
  return all;
}

double acceptors(const RDKit::ROMol &mol) {
  static const Patterns patterns = read(kAcceptors);
  unsigned sum = 0;
  std::vector<RDKit::MatchVectType> matches;
  for (const auto &p : patterns) sum += RDKit::SubstructMatch(mol, *p, matches);
  return sum;
}

double alerts(const RDKit::ROMol &mol) {
  static const Patterns patterns = read(kAlerts);
  RDKit::MatchVectType match;
  return static_cast<double>(std::count_if(patterns.begin(), patterns.end(), [&](const auto &p) { return RDKit::SubstructMatch(mol, *p, match); }));
}

// aromaticRings returns the number of rings, bonds − atoms + fragments, after removing the aliphatic ring atoms with a
// single bond to an aliphatic atom. It may differ from the number of aromatic rings.
double aromaticRings(const RDKit::ROMol &mol) {
  const auto *rings = mol.getRingInfo();
  std::vector<int> root(mol.getNumAtoms());
  int atoms = 0;
  for (const auto *atom : mol.atoms()) {
    bool aliphatic = false;
    for (const auto *bond : mol.atomBonds(atom)) {
      aliphatic = aliphatic || (bond->getBondType() == RDKit::Bond::SINGLE && !bond->getOtherAtom(atom)->getIsAromatic());
    }
    const bool out = aliphatic && !atom->getIsAromatic() && rings->numAtomRings(atom->getIdx()) > 0;
    root[atom->getIdx()] = out ? -1 : static_cast<int>(atom->getIdx());
    atoms += !out;
  }
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  int bonds = 0, fragments = atoms;
  for (const auto *bond : mol.bonds()) {
    const int i = static_cast<int>(bond->getBeginAtomIdx()), j = static_cast<int>(bond->getEndAtomIdx());
    if (root[i] < 0 || root[j] < 0) continue;
    ++bonds;
    const int a = find(i), b = find(j);
    fragments -= a != b;
    root[a] = b;
  }
  return bonds - atoms + fragments;
}

// Desirability is an asymmetric double sigmoid, with its weight in the mean.
struct Desirability {
  double a, b, c, d, e, f, most, weight;

  double of(double x) const {
    const double rise = 1 + std::exp(-(x - c + d / 2) / e), fall = 1 + std::exp(-(x - c - d / 2) / f);
    return (a + b / rise * (1 - 1 / fall)) / most;
  }
};

constexpr Desirability kWeight = {2.817065973, 392.5754953, 290.7489764, 2.419764353, 49.22325677, 65.37051707, 104.9805561, 0.66};
constexpr Desirability kLogP = {3.172690585, 137.8624751, 2.534937431, 4.581497897, 0.822739154, 0.576295591, 131.3186604, 0.46};
constexpr Desirability kAcceptor = {2.948620388, 160.4605972, 3.615294657, 4.435986202, 0.290141953, 1.300669958, 148.7763046, 0.05};
constexpr Desirability kDonor = {1.618662227, 1010.051101, 0.985094388, 0.000000001, 0.713820843, 0.920922555, 258.1632616, 0.61};
constexpr Desirability kSurface = {1.876861559, 125.2232657, 62.90773554, 87.83366614, 12.01999824, 28.51324732, 104.5686167, 0.06};
constexpr Desirability kRotatable = {0.010000000, 272.4121427, 2.558379970, 1.565547684, 1.271567166, 2.758063707, 105.4420403, 0.65};
constexpr Desirability kAromatic = {3.217788970, 957.7374108, 2.274627939, 0.000000001, 1.317690384, 0.375760881, 312.3372610, 0.48};
constexpr Desirability kAlert = {0.010000000, 1199.094025, -0.09002883, 0.000000001, 0.185904477, 0.875193782, 417.7253140, 0.95};

}  // namespace

double qed(const RDKit::ROMol &mol) {
  using namespace RDKit::Descriptors;
  double logP, refractivity;
  calcCrippenDescriptors(mol, logP, refractivity);
  double sum = 0, weights = 0;
  const auto add = [&](const Desirability &d, double x) {
    sum += d.weight * std::log(d.of(x));
    weights += d.weight;
  };
  add(kWeight, calcAMW(mol));
  add(kLogP, logP);
  add(kAcceptor, acceptors(mol));
  add(kDonor, calcNumHBD(mol));
  add(kSurface, calcTPSA(mol));
  add(kRotatable, calcNumRotatableBonds(mol, Strict));
  add(kAromatic, aromaticRings(mol));
  add(kAlert, alerts(mol));
  return std::exp(sum / weights);
}

}  // namespace pacia
