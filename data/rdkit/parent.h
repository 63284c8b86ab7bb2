// Parents of salts: the C++ interface of parent.cc.
#pragma once

#include <memory>

#include <GraphMol/RWMol.h>

namespace pacia {

// parentOf gives the molecule that a salt or a solvate is of, uncharged as far as moving
// hydrogens can do that: the ChEMBL structure pipeline's parent (Bento et al., J.
// Cheminform. 12, 2020, 51), made by RDKit's MolStandardize.
//
//  1. Bonds of alkali metals to N, O and S are taken apart.
//  2. Fragments that are salts or solvents are left out, by RDKit's list and that of
//     parent.cc; not where nothing else would be left.
//  3. Of equal fragments one is kept. Different ones, a mixture, stay.
//  4. Acids and bases get their hydrogens back (Uncharger).
std::unique_ptr<RDKit::RWMol> parentOf(const RDKit::RWMol &mol);

}  // namespace pacia
