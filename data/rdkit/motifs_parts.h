// What the files of motifs share.
#pragma once

#include <utility>
#include <vector>

namespace RDKit {
class ROMol;
}

namespace pacia {

// Motifs are sets of a molecule's atoms, ascending, and the edges between them, which form
// a tree in every connected part of the molecule.
struct Motifs {
  std::vector<std::vector<int>> atoms;
  std::vector<std::pair<int, int>> edges;
};

// bricsMotifs cuts bonds: those that BRICS finds, those between rings and what is none, and
// those of atoms outside of rings with more than two neighbours. Without a BRICS bond there
// are no edges.
Motifs bricsMotifs(const RDKit::ROMol &mol);

// junctionTree is that of Jin et al. (2018): bonds outside of rings, and rings, which have
// atoms in common.
Motifs junctionTree(const RDKit::ROMol &mol);

}  // namespace pacia
