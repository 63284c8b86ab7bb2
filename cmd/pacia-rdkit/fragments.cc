#include "ask.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <GraphMol/SmilesParse/SmilesWrite.h>

namespace pacia {

namespace {

// Labels are numbers of atoms, by the atoms' indices.
using Labels = std::map<int, int>;

// numbersOf parses integers that are separated by commas.
std::vector<int> numbersOf(const std::string &text, int end) {
  std::vector<int> all;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const int n = std::stoi(part);
    if (n < 0 || n >= end) throw std::runtime_error("atom " + part + " of " + std::to_string(end));
    all.push_back(n);
  }
  return all;
}

// fragment returns the SMILES of some atoms. A label of one of them is its number in the SMILES. The other labelled
// atoms become atoms * with their labels, and of their bonds only those to the fragment stay.
std::string fragment(const RDKit::RWMol &whole, std::vector<int> atoms, const Labels &labels) {
  RDKit::RWMol mol(whole);
  std::vector<char> own(mol.getNumAtoms());
  for (const int a : atoms) own[a] = 1;
  int root = -1;
  for (const auto &[a, label] : labels) {
    if (!own[a]) {
      RDKit::Atom point(0);
      mol.replaceAtom(a, &point);
      atoms.push_back(a);
      if (root < 0 || label < labels.at(root)) root = a;
    }
    mol.getAtomWithIdx(a)->setAtomMapNum(label);
  }
  std::vector<int> bonds;
  for (const auto *bond : mol.bonds()) {
    const int from = bond->getBeginAtomIdx(), to = bond->getEndAtomIdx();
    const auto used = [&](int a) { return std::find(atoms.begin(), atoms.end(), a) != atoms.end(); };
    if (used(from) && used(to) && (own[from] || own[to])) bonds.push_back(static_cast<int>(bond->getIdx()));
  }
  return RDKit::MolFragmentToSmiles(mol, atoms, &bonds, nullptr, nullptr, true, false, root);
}

}  // namespace

void fragments(const RDKit::RWMol &mol, const std::string &lines, Answer &out) {
  const int end = static_cast<int>(mol.getNumAtoms());
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) {
    const size_t first = line.find(';'), second = line.find(';', first + 1);
    if (second == std::string::npos) throw std::runtime_error("a fragment without labels");
    const std::vector<int> atoms = numbersOf(line.substr(0, first), end);
    const std::vector<int> at = numbersOf(line.substr(first + 1, second - first - 1), end);
    const std::vector<int> labels = numbersOf(line.substr(second + 1), PACIA_MAX_ATOMS);
    if (atoms.empty() || at.size() != labels.size()) throw std::runtime_error("a fragment without atoms or with other labels");
    Labels of;
    for (size_t i = 0; i < at.size(); i++) of[at[i]] = labels[i];
    out.bytes += fragment(mol, atoms, of) + "\n";
  }
}

}  // namespace pacia
