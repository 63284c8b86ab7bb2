#include "draw.h"

#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <GraphMol/GraphMol.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "guard.h"
#include "parse.h"

namespace {

using Colours = std::map<int, RDKit::DrawColour>;

// kLightest is how much of a colour is seen at least.
constexpr double kLightest = 0.08;

// behind gives atoms their colours: red, green, blue and opacity, a byte each, 0 for none.
Colours behind(const uint32_t *rgba, int32_t atoms) {
  Colours colours;
  for (int32_t a = 0; a < atoms; ++a) {
    const auto part = [&](int shift) { return (rgba[a] >> shift & 0xff) / 255.0; };
    if (part(0) >= kLightest) colours[a] = RDKit::DrawColour(part(24), part(16), part(8), part(0));
  }
  return colours;
}

std::vector<int> keys(const Colours &colours) {
  std::vector<int> all;
  for (const auto &one : colours) all.push_back(one.first);
  return all;
}

std::string draw(RDKit::RWMol &mol, int width, int height, const Colours &atoms) {
  RDKit::MolDraw2DSVG drawer(width, height);
  auto &options = drawer.drawOptions();
  options.clearBackground = false;
  options.bondLineWidth = 1;
  options.fixedBondLength = 30;  // small molecules are not blown up
  options.minFontSize = 4;       // in large ones letters shrink with the bonds
  // RDKit's own are too faint on white.
  options.atomColourPalette[9] = RDKit::DrawColour(0.0, 0.5, 0.6);
  options.atomColourPalette[16] = RDKit::DrawColour(0.55, 0.45, 0.0);
  if (atoms.empty()) {
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, mol);
  } else {
    const std::vector<int> marked = keys(atoms), bonds;
    options.highlightRadius = 0.45;  // Å: circles of neighbours do not meet, and each shows its own colour
    options.atomHighlightsAreCircles = true;
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, mol, "", &marked, &bonds, &atoms);
  }
  drawer.finishDrawing();
  return drawer.getDrawingText();
}

}  // namespace

int32_t pacia_rdkit_draw(const char *smiles, int32_t length, const uint32_t *rgba, int32_t atoms, int32_t width,
                         int32_t height, char *svg, int32_t capacity, int32_t *written, char *reason,
                         int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const std::unique_ptr<RDKit::RWMol> mol(RDKit::SmilesToMol(
        std::string(smiles, static_cast<size_t>(length)), RDKit::SmilesParserParams()));
    if (!mol || mol->getNumAtoms() == 0) {
      throw std::runtime_error("RDKit cannot read it");
    }
    if (atoms != 0 && atoms != static_cast<int32_t>(mol->getNumAtoms())) {
      throw std::runtime_error(std::to_string(atoms) + " colours of " + std::to_string(mol->getNumAtoms()) + " atoms");
    }
    const std::string text = draw(*mol, width, height, behind(rgba, atoms));
    *written = static_cast<int32_t>(text.size());
    if (*written > capacity) {
      return PACIA_PARSE_TOO_SMALL;
    }
    std::memcpy(svg, text.data(), text.size());
    return PACIA_PARSE_OK;
  });
}
