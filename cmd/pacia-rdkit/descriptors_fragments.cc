#include <memory>
#include <string>
#include <vector>

#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "descriptors_parts.h"

namespace pacia {

namespace {

// kFragments are the fragments of RDKit's Data/FragmentDescriptors.csv (2022.09) in the order of their
// names, which are in the comments without fr_. Copyright (C) 2002 Rational Discovery LLC; BSD licence, see
// LICENSE.RDKit.
const char *const kFragments[] = {
    "C-C(=O)[O;H1,-]",  // Al_COO
    "[C!$(C=O)]-[OH]",  // Al_OH
    "[$(C-[OX2H]);!$([CX3](-[OX2H])=[OX1]);!$([CD4]-[OX2H])]",  // Al_OH_noTert
    "[$(a-[NX3H2]),$(a-[NH1][NH2]),$(a-C(=[OX1])[NH1][NH2]),$(a-C(=[NH])[NH2])]",  // ArN
    "c-C(=O)[O;H1,-]",  // Ar_COO
    "n",  // Ar_N
    "[nH]",  // Ar_NH
    "c[OH1]",  // Ar_OH
    "[#6]C(=O)[O;H,-1]",  // COO
    "[CX3](=O)[OX1H0-,OX2H1]",  // COO2
    "[CX3]=[OX1]",  // C_O
    "[C!$(C-[OH])]=O",  // C_O_noCOO
    "C=[SX1]",  // C_S
    "[$([OX2H1][CX4][CX4H2][NX3&R1]),$([OH1][CX4][CX4H2][NX3][CX4](C)(C)C)]",  // HOCCN
    "[Nv3](=C)-[#6]",  // Imine
    "[NH0,nH0]",  // NH0
    "[NH1,nH1]",  // NH1
    "[NH2,nH2]",  // NH2
    "[N!$(N=O)](-O)-C",  // N_O
    // Ndealkylation1
    "[$(N(-[CH3])-C-[$(C~O),$(C-a),$(C-N),$(C=C)]),$(N(-[CH2][CH3])-C-[$(C~O),$(C-a),"
     "$(C-N),$(C=C)])]",
    // Ndealkylation2
    "[$([N&R1]1(-C)CCC1),$([N&R1]1(-C)CCCC1),$([N&R1]1(-C)CCCCC1),$([N&R1]1(-C)CCCCCC"
     "1),$([N&R1]1(-C)CCCCCCC1)]",
    "[nH]",  // Nhpyrrole
    "[SH]",  // SH
    "[CX3H1](=O)[#6]",  // aldehyde
    "C[NH1]C(=O)OC",  // alkyl_carbamate
    "[CX4]-[Cl,Br,I,F]",  // alkyl_halide
    // allylic_oxid
    "[$(C=C-C);!$(C=C-C-[N,O,S]);!$(C=C-C-C-[N,O]);!$(C12=CC(=O)CCC1C3C(C4C(CCC4)CC3)"
     "CC2)]",
    "C(=O)-N",  // amide
    "C(=N)(-N)-[!#7]",  // amidine
    "c-[NX3;!$(N=*)]",  // aniline
    "[$(a-[CH3]),$(a-[CH2]-[CH3]),$(a-[CH2]-[CH2]~[!N;!O]);!$(a(:a!:*):a!:*)]",  // aryl_methyl
    "[$(*-[NX2-]-[NX2+]#[NX1]),$(*-[NX2]=[NX2+]=[NX1-])]",  // azide
    "[#6]-N=N-[#6]",  // azo
    "C1C(=O)NC(=O)NC1=O",  // barbitur
    "c1ccccc1",  // benzene
    "[c&R2]12[c&R1][c&R1][c&R1][c&R1][c&R2]1[N&R1][C&R1][C&R1][N&R1]=[C&R1]2",  // benzodiazepine
    "[R2][R2]",  // bicyclic
    "[N+]#N",  // diazo
    // dihydropyridine
    "[$([NX3H1]1-C=C-C-C=C1),$([Nv3]1=C-C-C=C-C1),$([Nv3]1=C-C=C-C-C1),$([NX3H1]1-C-C"
     "=C-C=C1)]",
    "O1CC1",  // epoxide
    "[#6][CX3](=O)[OX2H0][#6]",  // ester
    "[OD2]([#6])[#6]",  // ether
    "o1cccc1",  // furan
    "C(=N)(N)N",  // guanido
    "[#9,#17,#35,#53]",  // halogen
    "[NX3]-[NX3]",  // hdrzine
    "C=N-[NX3]",  // hdrzone
    "n1cncc1",  // imidazole
    "N(-C(=O))-C=O",  // imide
    "N=C=O",  // isocyan
    "N=C=S",  // isothiocyan
    "[#6][CX3](=O)[#6]",  // ketone
    "[$([CX3](=[OX1])(C)([c,C]));!$([CX3](=[OX1])([CH1]=C)[c,C])]",  // ketone_Topliss
    "N1C(=O)CC1",  // lactam
    "[C&R1](=O)[O&R1][C&R1]",  // lactone
    "[OX2](-[#6])-[CH3]",  // methoxy
    "O1CCNCC1",  // morpholine
    "[NX1]#[CX2]",  // nitrile
    "[$([NX3](=O)=O),$([NX3+](=O)[O-])][!#8]",  // nitro
    "[$(c1(-[$([NX3](=O)=O),$([NX3+](=O)[O-])])ccccc1)]",  // nitro_arom
    "[$(c1(-[$([NX3](=O)=O),$([NX3+](=O)[O-])])ccccc1);!$(cc-!:*)]",  // nitro_arom_nonortho
    "[N!$(N-O)]=O",  // nitroso
    "c1ocnc1",  // oxazole
    "[CX3]=[NX2]-[OX2]",  // oxime
    // para_hydroxylation
    "[$([cH]1[cH]cc(c[cH]1)~[$([#8,$([#8]~[H,c,C])])]),$([cH]1[cH]cc(c[cH]1)~[$([#7X3"
     ",$([#7](~[H,c,C])~[H,c,C])])]),$([cH]1[cH]cc(c[cH]1)-!:[$([NX3H,$(NC(=O)[H,c,C])"
     "])])]",
    "[OX2H]-c1ccccc1",  // phenol
    // phenol_noOrthoHbond
    "[$(c1(-[OX2H])ccccc1);!$(cc-!:[CH2]-[OX2H]);!$(cc-!:C(=O)[O;H1,-]);!$(cc-!:C(=O)"
     "-[NH2])]",
    // phos_acid
    "[$(P(=[OX1])([$([OX2H]),$([OX1-]),$([OX2]P)])([$([OX2H]),$([OX1-]),$([OX2]P)])[$"
     "([OX2H]),$([OX1-]),$([OX2]P)]),$([P+]([OX1-])([$([OX2H]),$([OX1-]),$([OX2]P)])(["
     "$([OX2H]),$([OX1-]),$([OX2]P)])[$([OX2H]),$([OX1-]),$([OX2]P)])]",
    // phos_ester
    "[$(P(=[OX1])([OX2][#6])([$([OX2H]),$([OX1-]),$([OX2][#6])])[$([OX2H]),$([OX1-]),"
     "$([OX2][#6]),$([OX2]P)]),$([P+]([OX1-])([OX2][#6])([$([OX2H]),$([OX1-]),$([OX2]["
     "#6])])[$([OX2H]),$([OX1-]),$([OX2][#6]),$([OX2]P)])]",
    "N1CCCCC1",  // piperdine
    "N1CCNCC1",  // piperzine
    "C(=O)-[NH2]",  // priamide
    "[NH2]-S(=,-[OX1;+0;-1])(=,-[OX1;+0;-1])-[#6]",  // prisulfonamd
    "n1ccccc1",  // pyridine
    "[$([NX4+]),$([NX4]=*)]",  // quatN
    "[SX2](-[#6])-C",  // sulfide
    "N-S(=,-[OX1;+0,-1])(=,-[OX1;+0,-1])-[#6]",  // sulfonamd
    "S(=,-[OX1;+0,-1])(=,-[OX1;+0,-1])(-[#6])-[#6]",  // sulfone
    "C#[CH]",  // term_acetylene
    "c1nnnn1",  // tetrazole
    "c1scnc1",  // thiazole
    "S-C#N",  // thiocyan
    "s1cccc1",  // thiophene
    "[R0;D2][R0;D2][R0;D2][R0;D2]",  // unbrch_alkane
    "C(=O)(-N)-N",  // urea
};

std::vector<std::unique_ptr<const RDKit::ROMol>> readFragments() {
  std::vector<std::unique_ptr<const RDKit::ROMol>> all;
  for (const char *smarts : kFragments) all.emplace_back(RDKit::SmartsToMol(smarts));
  return all;
}

}  // namespace

void appendFragments(const RDKit::ROMol &mol, std::vector<double> &to) {
  static const auto fragments = readFragments();
  std::vector<RDKit::MatchVectType> matches;
  for (const auto &fragment : fragments) {
    to.push_back(static_cast<double>(RDKit::SubstructMatch(mol, *fragment, matches)));
  }
}

}  // namespace pacia
