// Parents of salts: the C++ interface of parent.cc.
#pragma once

#include <memory>

#include <GraphMol/RWMol.h>

namespace pacia {

// parentOf returns the parent molecule of a salt or a solvate, without charges that moving hydrogens
// can remove. It follows the ChEMBL structure pipeline (Bento et al., J.
// Cheminform. 12, 2020, 51), with RDKit's MolStandardize.
//
//  1. Bonds between alkali metals and N, O or S are removed.
//  2. Counterions and solvents in RDKit's list or that of parent.cc are left out, unless
//     nothing else would remain.
//  3. Equal fragments are kept once. Different fragments, a mixture, are all kept.
//  4. Acids and bases are neutralised (Uncharger).
std::unique_ptr<RDKit::RWMol> parentOf(const RDKit::RWMol &mol);

}  // namespace pacia
