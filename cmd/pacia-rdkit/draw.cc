#include "ask.h"

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <Geometry/point.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

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

// numbers parses integers, one for each of n atoms, separated by commas.
std::vector<int> numbers(const std::string &text, size_t n) {
  std::vector<int> all;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) all.push_back(std::stoi(part));
  if (all.size() != n) throw std::runtime_error(std::to_string(all.size()) + " numbers for " + std::to_string(n) + " atoms");
  return all;
}

// connected reports whether bonds between atoms of a map join all of them. RDKit distorts drawings with others.
bool connected(const RDKit::ROMol &mol, const RDGeom::INT_POINT2D_MAP &map) {
  std::set<int> met{map.begin()->first};
  std::vector<int> next{map.begin()->first};
  while (!next.empty()) {
    const auto *atom = mol.getAtomWithIdx(next.back());
    next.pop_back();
    for (const auto *other : mol.atomNeighbors(atom)) {
      const int a = static_cast<int>(other->getIdx());
      if (map.count(a) && met.insert(a).second) next.push_back(a);
    }
  }
  return met.size() == map.size();
}

// kFewest is the smallest number of atoms that define an orientation.
constexpr size_t kFewest = 3;

// arrange gives the molecule the coordinates of a drawing in which each atom `onto` an atom of `like` has its place. It
// does nothing if there are too few such atoms, or if they are not connected.
void arrange(RDKit::RWMol &mol, const std::string &like, const std::string &onto) {
  const Mol model(RDKit::SmilesToMol(like));  // read takes a lock that the caller has
  if (!model) throw std::runtime_error("RDKit cannot read " + like);
  const std::vector<int> places = numbers(onto, mol.getNumAtoms());
  RDDepict::compute2DCoords(*model, nullptr, true);  // wide rather than high
  const auto &drawn = model->getConformer();
  RDGeom::INT_POINT2D_MAP map;
  std::set<int> taken;
  for (size_t a = 0; a < places.size(); a++) {
    if (places[a] < 0) continue;
    if (places[a] >= static_cast<int>(model->getNumAtoms()) || !taken.insert(places[a]).second) {
      throw std::runtime_error("atom " + std::to_string(places[a]) + " is not in " + like + ", or is the place of two atoms");
    }
    map[static_cast<int>(a)] = RDGeom::Point2D(drawn.getAtomPos(places[a]));
  }
  if (map.size() >= kFewest && connected(mol, map)) RDDepict::compute2DCoords(mol, &map);
}

}  // namespace

void draw(RDKit::RWMol &mol, int32_t width, int32_t height, const std::string &look, Answer &out) {
  std::istringstream lines(look);
  std::string colours, like, onto, notes;
  std::getline(lines, colours);
  std::getline(lines, like);
  std::getline(lines, onto);
  std::getline(lines, notes);
  if (!colours.empty() && colours.size() != 8 * mol.getNumAtoms()) {
    throw std::runtime_error(std::to_string(colours.size() / 8) + " colours for " + std::to_string(mol.getNumAtoms()) + " atoms");
  }
  const Colours atoms = behind(colours);
  if (!like.empty()) arrange(mol, like, onto);
  if (!notes.empty()) {
    const std::vector<int> of = numbers(notes, mol.getNumAtoms());
    for (size_t a = 0; a < of.size(); a++) {
      if (of[a]) mol.getAtomWithIdx(static_cast<unsigned>(a))->setProp(RDKit::common_properties::atomNote, std::to_string(of[a]));
    }
  }
  RDKit::MolDraw2DSVG drawer(width, height);
  auto &options = drawer.drawOptions();
  options.clearBackground = false;
  options.bondLineWidth = 1;
  options.fixedBondLength = 30;  // small molecules are not enlarged
  options.minFontSize = 4;       // in large molecules letters shrink with the bonds
  options.annotationFontScale = 0.9;
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
