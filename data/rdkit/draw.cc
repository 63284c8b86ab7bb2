#include "draw.h"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/GraphMol.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "guard.h"
#include "parse.h"

namespace {

std::string draw(RDKit::RWMol &mol, int width, int height) {
  RDKit::MolDraw2DSVG drawer(width, height);
  auto &options = drawer.drawOptions();
  options.clearBackground = false;
  options.bondLineWidth = 1;
  options.fixedBondLength = 30;  // small molecules are not blown up
  options.minFontSize = 4;       // in large ones letters shrink with the bonds
  // RDKit's own are too faint on white.
  options.atomColourPalette[9] = RDKit::DrawColour(0.0, 0.5, 0.6);
  options.atomColourPalette[16] = RDKit::DrawColour(0.55, 0.45, 0.0);
  RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, mol);
  drawer.finishDrawing();
  return drawer.getDrawingText();
}

}  // namespace

int32_t pacia_rdkit_draw(const char *smiles, int32_t length, int32_t width, int32_t height,
                         char *svg, int32_t capacity, int32_t *written, char *reason,
                         int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const std::unique_ptr<RDKit::RWMol> mol(RDKit::SmilesToMol(
        std::string(smiles, static_cast<size_t>(length)), RDKit::SmilesParserParams()));
    if (!mol || mol->getNumAtoms() == 0) {
      throw std::runtime_error("RDKit cannot read it");
    }
    const std::string text = draw(*mol, width, height);
    *written = static_cast<int32_t>(text.size());
    if (*written > capacity) {
      return PACIA_PARSE_TOO_SMALL;
    }
    std::memcpy(svg, text.data(), text.size());
    return PACIA_PARSE_OK;
  });
}
