// The parts of the descriptors. Molecules must be sanitised and without explicit hydrogens.
//
// Legend: n atoms.
#pragma once

#include <vector>

namespace RDKit {
class ROMol;
}

namespace pacia {

// Graphs, descriptors_graph.cc.

// estates returns the electrotopological state of each atom [n] (Hall, Mohney and Kier
// 1991, doi 10.1021/ci00001a012).
std::vector<double> estates(const RDKit::ROMol &mol);

double balabanJ(const RDKit::ROMol &mol);  // Balaban 1982, doi 10.1016/0009-2614(82)80009-2
double bertzCT(const RDKit::ROMol &mol);   // Bertz 1981, doi 10.1021/ja00402a001
double chi0(const RDKit::ROMol &mol);      // Hall and Kier 1991: from the degrees of atoms
double chi1(const RDKit::ROMol &mol);      // from the degrees of the atoms of bonds

// ipc returns the information content of the characteristic polynomial's coefficients (Bonchev
// and Trinajstić 1977, doi 10.1063/1.434593).
double ipc(const RDKit::ROMol &mol);

// Descriptors by SMARTS, descriptors_fragments.cc and descriptors_qed.cc.

// appendFragments appends the counts of RDKit's 85 fragments in the order of their names.
void appendFragments(const RDKit::ROMol &mol, std::vector<double> &to);

// qed returns the quantitative estimate of drug-likeness (Bickerton et al. 2012, doi
// 10.1038/nchem.1243).
double qed(const RDKit::ROMol &mol);

}  // namespace pacia
