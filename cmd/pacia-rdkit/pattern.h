// Substructures in the spellings that RDKit's molecules do not have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <GraphMol/RWMol.h>

namespace pacia {

// A Pattern is a SMARTS. If it can also be read as a molecule, it has a second reading, with the changes that RDKit
// makes to such a molecule: rings of alternating bonds become aromatic, N(=O)=O becomes [N+](=O)[O-], and charged
// acids and bases become neutral.
class Pattern {
 public:
  // It throws if RDKit cannot read the SMARTS.
  explicit Pattern(const std::string &smarts);

  // matches reports whether a molecule has the substructure. `respelt` is the molecule after respell, or null if that
  // changes nothing.
  bool matches(const RDKit::ROMol &mol, const RDKit::ROMol *respelt) const;

  // also returns the SMARTS of the second reading, or an empty text.
  const std::string &also() const { return also_; }

 private:
  std::vector<std::unique_ptr<RDKit::RWMol>> readings_;
  bool drawn_ = false;  // each atom is an element, as in a molecule
  std::string also_;
};

// respell gives groups that are drawn with or without charges the spelling of RDKit, where it has one, and otherwise
// that without charges: S=O for [S+][O-]. It reports whether anything changed.
bool respell(RDKit::RWMol &mol);

}  // namespace pacia
