#include "ask.h"

#include <map>
#include <stdexcept>
#include <vector>

#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

namespace pacia {

namespace {

using Colours = std::map<int, RDKit::DrawColour>;

// kLightest is the smallest opacity that is visible.
constexpr double kLightest = 0.08;

// behind parses the colours behind atoms, eight digits each: a byte for red, green, blue and opacity. Colours
// that would be invisible are left out.
Colours behind(const std::string &digits) {
  Colours colours;
  for (size_t a = 0; 8 * a < digits.size(); a++) {
    const unsigned long rgba = std::stoul(digits.substr(8 * a, 8), nullptr, 16);
    const auto part = [&](int shift) { return (rgba >> shift & 0xff) / 255.0; };
    if (part(0) >= kLightest) colours[static_cast<int>(a)] = RDKit::DrawColour(part(24), part(16), part(8), part(0));
  }
  return colours;
}

std::vector<int> keys(const Colours &colours) {
  std::vector<int> all;
  for (const auto &one : colours) all.push_back(one.first);
  return all;
}

}  // namespace

void draw(RDKit::RWMol &mol, int32_t width, int32_t height, const std::string &colours, Answer &out) {
  if (!colours.empty() && colours.size() != 8 * mol.getNumAtoms()) {
    throw std::runtime_error(std::to_string(colours.size() / 8) + " colours for " + std::to_string(mol.getNumAtoms()) + " atoms");
  }
  const Colours atoms = behind(colours);
  RDKit::MolDraw2DSVG drawer(width, height);
  auto &options = drawer.drawOptions();
  options.clearBackground = false;
  options.bondLineWidth = 1;
  options.fixedBondLength = 30;  // small molecules are not enlarged
  options.minFontSize = 4;       // in large molecules letters shrink with the bonds
  // RDKit's own colours are too faint on white.
  options.atomColourPalette[9] = RDKit::DrawColour(0.0, 0.5, 0.6);
  options.atomColourPalette[16] = RDKit::DrawColour(0.55, 0.45, 0.0);
  if (atoms.empty()) {
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, mol);
  } else {
    const std::vector<int> marked = keys(atoms), bonds;
    options.highlightRadius = 0.45;  // Å: circles of neighbours do not overlap
    options.atomHighlightsAreCircles = true;
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, mol, "", &marked, &bonds, &atoms);
  }
  drawer.finishDrawing();
  out.bytes += drawer.getDrawingText();
}

}  // namespace pacia
