// Code that all answers share: it reads molecules, silences logs, and shortens messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <GraphMol/RWMol.h>

namespace pacia {

using Mol = std::unique_ptr<RDKit::RWMol>;

// silence turns RDKit's logs off.
void silence();

// read returns the molecule of a SMILES, or throws the reason why it cannot be read. A `bare` molecule is for a fingerprint
// alone: its stereochemistry is not perceived. Ranking the atoms (CIP) and removing meaningless marks would take half of
// the time, and a fingerprint does not depend on them.
Mol read(const std::string &smiles, bool bare = false);

// orderOf returns 0 for a single bond, 1 for a double, 2 for a triple, 3 for an aromatic one and 4 for others.
int orderOf(const RDKit::Bond &bond);

// orderOf throws a reason with `names` if the bond is not one of the first `kinds` of these.
uint8_t orderOf(const RDKit::Bond &bond, int kinds, const char *names);

// reason returns the first line of a message, at most 255 bytes of it. It leaves out the time of day that RDKit writes before
// its messages.
std::string reason(const std::string &text);

}  // namespace pacia
