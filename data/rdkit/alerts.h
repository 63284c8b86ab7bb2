// Structures that disturb assays or react: what structure.cc takes of alerts.cc.
#pragma once

#include <string>

namespace RDKit {
class ROMol;
}

namespace pacia {

// alerts names the patterns of RDKit's catalogues PAINS, BRENK and NIH that match: a line for each
// catalogue, which begins with a line feed, with "; " between two names.
std::string alerts(const RDKit::ROMol &mol);

// alertsByCatalog is the same by RDKit's FilterCatalog, which takes eight times as long.
std::string alertsByCatalog(const RDKit::ROMol &mol);

}  // namespace pacia
