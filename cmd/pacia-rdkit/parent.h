// Parents of salts: the C++ interface of parent.cc.
#pragma once

#include <memory>

#include <GraphMol/RWMol.h>

namespace pacia {

// parentOf returns the parent molecule of a salt or a solvate, without charges that moving hydrogens
// can remove. It follows the ChEMBL structure pipeline (Bento et al., J.
// Cheminform. 12, 2020, 51), with RDKit's MolStandardize.
//
//  1. Isotopes and atom numbers are removed.
//  2. A molecule with a metal that binds ligands, as in metallocenes and chelates of gadolinium, stays as it is.
//  3. Bonds that are drawn in place of charges are removed, such as those of Na to O.
//  4. Of several fragments, those of the highest kind in counterions.h are kept, equal ones once. Different fragments
//     of it, a mixture, are all kept.
//  5. Acids and bases are neutralised (Uncharger), and a betaine's acid is an anion.
std::unique_ptr<RDKit::RWMol> parentOf(const RDKit::RWMol &mol);

}  // namespace pacia
