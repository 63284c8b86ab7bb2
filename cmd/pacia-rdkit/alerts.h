// Structures that interfere with assays or react: the interface of alerts.cc.
#pragma once

#include <string>

namespace RDKit {
class ROMol;
}

namespace pacia {

// alerts returns the names of the matching patterns in RDKit's catalogues PAINS, BRENK and NIH: one line
// for each catalogue, preceded by a line feed, with "; " between two names.
std::string alerts(const RDKit::ROMol &mol);

// alertsByCatalog does the same with RDKit's FilterCatalog, which takes eight times as long.
std::string alertsByCatalog(const RDKit::ROMol &mol);

}  // namespace pacia
