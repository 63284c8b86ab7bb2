// The interface between the files of motifs.
#pragma once

#include <utility>
#include <vector>

namespace RDKit {
class ROMol;
}

namespace pacia {

// Motifs are sets of a molecule's atoms, each ascending, and the edges between them. The edges form
// a tree in every connected part of the molecule.
struct Motifs {
  std::vector<std::vector<int>> atoms;
  std::vector<std::pair<int, int>> edges;
};

// bricsMotifs cuts the bonds of BRICS, those between rings and atoms outside of rings, and
// those of atoms outside of rings with more than two neighbours. Without a BRICS bond, the result
// is empty.
Motifs bricsMotifs(const RDKit::ROMol &mol);

// junctionTree returns the junction tree of Jin et al. (2018). Its motifs are bonds outside of rings,
// and rings; neighbours have atoms in common.
Motifs junctionTree(const RDKit::ROMol &mol);

}  // namespace pacia
