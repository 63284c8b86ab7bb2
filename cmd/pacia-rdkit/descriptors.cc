#include "ask.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include <DataStructs/SparseIntVect.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/PartialCharges/GasteigerCharges.h>
#include <GraphMol/PeriodicTable.h>

#include "descriptors_parts.h"

// The 200 descriptors of FS-Mol's task files: those of RDKit's Descriptors.descList in 2022.09
// without the eight BCUT2D, in its order.

namespace pacia {

namespace {

using Values = std::vector<double>;

const char *const kNames[] = {
    "MaxEStateIndex", "MinEStateIndex", "MaxAbsEStateIndex", "MinAbsEStateIndex", "qed", "MolWt",
    "HeavyAtomMolWt", "ExactMolWt", "NumValenceElectrons", "NumRadicalElectrons", "MaxPartialCharge",
    "MinPartialCharge", "MaxAbsPartialCharge", "MinAbsPartialCharge", "FpDensityMorgan1", "FpDensityMorgan2",
    "FpDensityMorgan3", "BalabanJ", "BertzCT", "Chi0", "Chi0n", "Chi0v", "Chi1", "Chi1n", "Chi1v", "Chi2n",
    "Chi2v", "Chi3n", "Chi3v", "Chi4n", "Chi4v", "HallKierAlpha", "Ipc", "Kappa1", "Kappa2", "Kappa3",
    "LabuteASA", "PEOE_VSA1", "PEOE_VSA10", "PEOE_VSA11", "PEOE_VSA12", "PEOE_VSA13", "PEOE_VSA14", "PEOE_VSA2",
    "PEOE_VSA3", "PEOE_VSA4", "PEOE_VSA5", "PEOE_VSA6", "PEOE_VSA7", "PEOE_VSA8", "PEOE_VSA9", "SMR_VSA1",
    "SMR_VSA10", "SMR_VSA2", "SMR_VSA3", "SMR_VSA4", "SMR_VSA5", "SMR_VSA6", "SMR_VSA7", "SMR_VSA8", "SMR_VSA9",
    "SlogP_VSA1", "SlogP_VSA10", "SlogP_VSA11", "SlogP_VSA12", "SlogP_VSA2", "SlogP_VSA3", "SlogP_VSA4",
    "SlogP_VSA5", "SlogP_VSA6", "SlogP_VSA7", "SlogP_VSA8", "SlogP_VSA9", "TPSA", "EState_VSA1", "EState_VSA10",
    "EState_VSA11", "EState_VSA2", "EState_VSA3", "EState_VSA4", "EState_VSA5", "EState_VSA6", "EState_VSA7",
    "EState_VSA8", "EState_VSA9", "VSA_EState1", "VSA_EState10", "VSA_EState2", "VSA_EState3", "VSA_EState4",
    "VSA_EState5", "VSA_EState6", "VSA_EState7", "VSA_EState8", "VSA_EState9", "FractionCSP3", "HeavyAtomCount",
    "NHOHCount", "NOCount", "NumAliphaticCarbocycles", "NumAliphaticHeterocycles", "NumAliphaticRings",
    "NumAromaticCarbocycles", "NumAromaticHeterocycles", "NumAromaticRings", "NumHAcceptors", "NumHDonors",
    "NumHeteroatoms", "NumRotatableBonds", "NumSaturatedCarbocycles", "NumSaturatedHeterocycles",
    "NumSaturatedRings", "RingCount", "MolLogP", "MolMR", "fr_Al_COO", "fr_Al_OH", "fr_Al_OH_noTert", "fr_ArN",
    "fr_Ar_COO", "fr_Ar_N", "fr_Ar_NH", "fr_Ar_OH", "fr_COO", "fr_COO2", "fr_C_O", "fr_C_O_noCOO", "fr_C_S",
    "fr_HOCCN", "fr_Imine", "fr_NH0", "fr_NH1", "fr_NH2", "fr_N_O", "fr_Ndealkylation1", "fr_Ndealkylation2",
    "fr_Nhpyrrole", "fr_SH", "fr_aldehyde", "fr_alkyl_carbamate", "fr_alkyl_halide", "fr_allylic_oxid",
    "fr_amide", "fr_amidine", "fr_aniline", "fr_aryl_methyl", "fr_azide", "fr_azo", "fr_barbitur", "fr_benzene",
    "fr_benzodiazepine", "fr_bicyclic", "fr_diazo", "fr_dihydropyridine", "fr_epoxide", "fr_ester", "fr_ether",
    "fr_furan", "fr_guanido", "fr_halogen", "fr_hdrzine", "fr_hdrzone", "fr_imidazole", "fr_imide",
    "fr_isocyan", "fr_isothiocyan", "fr_ketone", "fr_ketone_Topliss", "fr_lactam", "fr_lactone", "fr_methoxy",
    "fr_morpholine", "fr_nitrile", "fr_nitro", "fr_nitro_arom", "fr_nitro_arom_nonortho", "fr_nitroso",
    "fr_oxazole", "fr_oxime", "fr_para_hydroxylation", "fr_phenol", "fr_phenol_noOrthoHbond", "fr_phos_acid",
    "fr_phos_ester", "fr_piperdine", "fr_piperzine", "fr_priamide", "fr_prisulfonamd", "fr_pyridine",
    "fr_quatN", "fr_sulfide", "fr_sulfonamd", "fr_sulfone", "fr_term_acetylene", "fr_tetrazole", "fr_thiazole",
    "fr_thiocyan", "fr_thiophene", "fr_unbrch_alkane", "fr_urea",
};
static_assert(sizeof kNames / sizeof *kNames == PACIA_DESCRIPTORS, "a name for each descriptor");

// appendByName appends bins 1 to k in the order of their numbers as text: 1, 10, 11, 2.
void appendByName(const Values &bins, Values &to) {
  std::vector<std::pair<std::string, double>> named;
  for (size_t i = 0; i < bins.size(); ++i) named.emplace_back(std::to_string(i + 1), bins[i]);
  std::sort(named.begin(), named.end());
  for (const auto &bin : named) to.push_back(bin.second);
}

// binned sums the values whose keys are in each bin. The limits of the bins are ascending.
Values binned(const Values &keys, const Values &values, const Values &limits) {
  Values sums(limits.size() + 1, 0);
  for (size_t i = 0; i < keys.size(); ++i) {
    sums[std::upper_bound(limits.begin(), limits.end(), keys[i]) - limits.begin()] += values[i];
  }
  return sums;
}

void appendStates(const Values &states, Values &to) {
  const auto [least, most] = std::minmax_element(states.begin(), states.end());
  Values sizes;
  for (const double s : states) sizes.push_back(std::abs(s));
  const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
  to.insert(to.end(), {*most, *least, *largest, *smallest});
}

void appendWeights(const RDKit::ROMol &mol, Values &to) {
  const auto *table = RDKit::PeriodicTable::getTable();
  int valence = 0, radicals = 0;
  for (const auto *atom : mol.atoms()) {
    valence += table->getNouterElecs(atom->getAtomicNum()) - atom->getFormalCharge() + static_cast<int>(atom->getTotalNumHs());
    radicals += static_cast<int>(atom->getNumRadicalElectrons());
  }
  using namespace RDKit::Descriptors;
  to.insert(to.end(), {calcAMW(mol), calcAMW(mol, true), calcExactMW(mol), static_cast<double>(valence), static_cast<double>(radicals)});
}

// appendCharges handles Gasteiger charges that are NaN like Python's max and min: such a charge replaces
// the largest and the smallest so far, and is replaced by the next charge.
void appendCharges(const RDKit::ROMol &mol, Values &to) {
  Values charges(mol.getNumAtoms());
  RDKit::computeGasteigerCharges(mol, charges);
  double least = 500, most = -500;
  for (const double c : charges) {
    least = least < c ? least : c;
    most = most > c ? most : c;
  }
  const double a = std::abs(least), b = std::abs(most);
  to.insert(to.end(), {most, least, b > a ? b : a, b < a ? b : a});
}

void appendDensities(const RDKit::ROMol &mol, Values &to) {
  const unsigned heavy = mol.getNumHeavyAtoms();
  for (unsigned radius = 1; radius <= 3; ++radius) {
    const std::unique_ptr<const RDKit::SparseIntVect<uint32_t>> found(RDKit::MorganFingerprints::getFingerprint(mol, radius));
    to.push_back(heavy == 0 ? 0 : static_cast<double>(found->getNonzeroElements().size()) / heavy);
  }
}

void appendGraph(const RDKit::ROMol &mol, Values &to) {
  using namespace RDKit::Descriptors;
  to.insert(to.end(), {balabanJ(mol), bertzCT(mol), chi0(mol), calcChi0n(mol), calcChi0v(mol), chi1(mol), calcChi1n(mol),
                       calcChi1v(mol), calcChi2n(mol), calcChi2v(mol), calcChi3n(mol), calcChi3v(mol), calcChi4n(mol),
                       calcChi4v(mol), calcHallKierAlpha(mol), ipc(mol), calcKappa1(mol), calcKappa2(mol), calcKappa3(mol)});
}

void appendSurfaces(const RDKit::ROMol &mol, const Values &states, Values &to) {
  using namespace RDKit::Descriptors;
  to.push_back(calcLabuteASA(mol));
  appendByName(calcPEOE_VSA(mol), to);
  appendByName(calcSMR_VSA(mol), to);
  appendByName(calcSlogP_VSA(mol), to);
  to.push_back(calcTPSA(mol));
  Values areas(mol.getNumAtoms());
  double ofHydrogens;
  getLabuteAtomContribs(mol, areas, ofHydrogens);
  appendByName(binned(states, areas, {-0.390, 0.290, 0.717, 1.165, 1.540, 1.807, 2.05, 4.69, 9.17, 15.0}), to);
  appendByName(binned(areas, states, {4.78, 5.00, 5.410, 5.740, 6.00, 6.07, 6.45, 7.00, 11.0}), to);
}

void appendLipinski(const RDKit::ROMol &mol, Values &to) {
  using namespace RDKit::Descriptors;
  to.push_back(calcFractionCSP3(mol));
  for (const unsigned count :
       {mol.getNumHeavyAtoms(), calcLipinskiHBD(mol), calcLipinskiHBA(mol), calcNumAliphaticCarbocycles(mol),
        calcNumAliphaticHeterocycles(mol), calcNumAliphaticRings(mol), calcNumAromaticCarbocycles(mol),
        calcNumAromaticHeterocycles(mol), calcNumAromaticRings(mol), calcNumHBA(mol), calcNumHBD(mol), calcNumHeteroatoms(mol),
        calcNumRotatableBonds(mol), calcNumSaturatedCarbocycles(mol), calcNumSaturatedHeterocycles(mol),
        calcNumSaturatedRings(mol), calcNumRings(mol)}) {
    to.push_back(count);
  }
  double logP, refractivity;
  calcCrippenDescriptors(mol, logP, refractivity);
  to.insert(to.end(), {logP, refractivity});
}

Values descriptors(const RDKit::ROMol &mol) {
  Values all;
  all.reserve(PACIA_DESCRIPTORS);
  const Values states = estates(mol);
  appendStates(states, all);
  all.push_back(qed(mol));
  appendWeights(mol, all);
  appendCharges(mol, all);
  appendDensities(mol, all);
  appendGraph(mol, all);
  appendSurfaces(mol, states, all);
  appendLipinski(mol, all);
  appendFragments(mol, all);
  return all;
}

}  // namespace

void describe(const RDKit::RWMol &mol, bool names, Answer &out) {
  if (names) {
    for (const char *name : kNames) out.bytes += std::string(name) + '\n';
    return;
  }
  const Values all = descriptors(mol);
  if (all.size() != PACIA_DESCRIPTORS) throw std::logic_error(std::to_string(all.size()) + " descriptors");
  out.add(all.data(), all.size());
}

}  // namespace pacia
