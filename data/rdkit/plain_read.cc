#include <cstring>
#include <utility>

#include "plain.h"

// Parser for SMILES of plain molecules, after RDKit's grammar (smiles.yy, smiles.ll): atoms of
// the organic subset, brackets without isotopes and labels, bonds - = # / \, branches,
// ring closures up to %99, fragments. Any other text is not plain, whether RDKit accepts it
// or not.

namespace pacia {

namespace {

// Elements in brackets, by their symbols. Hydrogen atoms are not plain, since RDKit removes
// most of them.
struct Symbol {
  char text[3];
  uint8_t number;
  bool aromatic;
};
constexpr Symbol kBracket[] = {
    {"B", 5, false},  {"C", 6, false},   {"N", 7, false},   {"O", 8, false},   {"F", 9, false},  {"Na", 11, false},
    {"P", 15, false}, {"S", 16, false},  {"Cl", 17, false}, {"K", 19, false},  {"Br", 35, false}, {"I", 53, false},
    {"Li", 3, false}, {"Si", 14, false}, {"Se", 34, false}, {"b", 5, true},    {"c", 6, true},   {"n", 7, true},
    {"o", 8, true},   {"p", 15, true},   {"s", 16, true},   {"se", 34, true},
};

class Reader {
 public:
  Reader(const char *text, int length, Plain &p) : at_(text), end_(text + length), p_(p) {}

  bool read() {
    p_.atoms = p_.bonds = 0;
    p_.stereo = false;
    if (!atom()) return false;
    while (at_ != end_) {
      const char c = *at_;
      if (c == '(') {
        ++at_;
        if (depth_ == kDepth) return false;
        branch_[depth_++] = last_;
        bond();
        if (!atom()) return false;  // a branch must begin with an atom
      } else if (c == ')') {
        ++at_;
        if (depth_ == 0) return false;
        last_ = branch_[--depth_];
      } else if (c == '.') {
        ++at_;
        last_ = -1;
        if (!atom()) return false;
      } else {
        bond();
        if (at_ == end_) return false;
        if (!(digit(*at_) || *at_ == '%' ? ring() : atom())) return false;
      }
    }
    for (const Open &o : open_) {
      if (o.atom >= 0) return false;
    }
    return depth_ == 0;
  }

 private:
  static constexpr int kDepth = 64, kRings = 100;
  static constexpr uint8_t kUnspecified = 0;

  struct Open {
    int atom = -1;
    uint8_t order = kUnspecified;
  };

  static bool digit(char c) { return c >= '0' && c <= '9'; }
  static bool lower(char c) { return c >= 'a' && c <= 'z'; }
  char peek() const { return at_ == end_ ? '\0' : *at_; }

  // bond reads the symbol of the next bond, if there is one. A slash, which marks the geometry of a double
  // bond, counts as no symbol: the bond is single or aromatic.
  void bond() {
    order_ = kUnspecified;
    switch (peek()) {
      case '-': order_ = 1; break;
      case '=': order_ = 2; break;
      case '#': order_ = 3; break;
      case '/': case '\\': p_.stereo = true; break;
      default: return;
    }
    ++at_;
  }

  bool atom() {
    uint8_t number = 0;
    bool aromatic = false;
    switch (peek()) {
      case '[': return bracket();
      case 'B': number = 5; break;
      case 'C': number = 6; break;
      case 'N': number = 7; break;
      case 'O': number = 8; break;
      case 'F': number = 9; break;
      case 'P': number = 15; break;
      case 'S': number = 16; break;
      case 'I': number = 53; break;
      case 'b': number = 5; aromatic = true; break;
      case 'c': number = 6; aromatic = true; break;
      case 'n': number = 7; aromatic = true; break;
      case 'o': number = 8; aromatic = true; break;
      case 'p': number = 15; aromatic = true; break;
      case 's': number = 16; aromatic = true; break;
      default: return false;
    }
    ++at_;
    if (number == 5 && !aromatic && peek() == 'r') {
      number = 35;
      ++at_;
    } else if (number == 6 && !aromatic && peek() == 'l') {
      number = 17;
      ++at_;
    }
    return add(number, 0, 0, aromatic, false);
  }

  // bracket reads [, symbol, chirality, hydrogens, charge, ].
  bool bracket() {
    ++at_;
    const Symbol *e = symbol();
    if (e == nullptr) return false;
    for (int i = 0; i < 2 && peek() == '@'; ++i, p_.stereo = true) ++at_;
    int hydrogens = 0, charge = 0;
    if (peek() == 'H') {
      ++at_;
      hydrogens = number();
    }
    if (peek() == '+' || peek() == '-') {
      const int sign = *at_++ == '+' ? 1 : -1;
      charge = sign * number();
    }
    if (peek() != ']' || charge < -1 || charge > 1) return false;
    ++at_;
    return add(e->number, charge, hydrogens, e->aromatic, true);
  }

  const Symbol *symbol() {
    const bool two = end_ - at_ > 1 && lower(at_[1]);  // the longer symbol takes precedence
    const int n = two ? 2 : 1;
    if (end_ - at_ < n) return nullptr;
    for (const Symbol &e : kBracket) {
      if (static_cast<int>(std::strlen(e.text)) == n && std::memcmp(e.text, at_, n) == 0) {
        at_ += n;
        return &e;
      }
    }
    return nullptr;
  }

  // number reads one digit from 1, or returns 1 if there is none. Other numbers give 99, which is refused.
  int number() {
    if (!digit(peek())) return 1;
    const int n = *at_++ - '0';
    return n == 0 || digit(peek()) ? 99 : n;
  }

  bool add(uint8_t number, int charge, int hydrogens, bool aromatic, bool bracket) {
    if (p_.atoms == kPlainAtoms || hydrogens > 4) return false;
    const int a = p_.atoms++;
    p_.number[a] = number;
    p_.charge[a] = static_cast<int8_t>(charge);
    p_.explicitH[a] = static_cast<uint8_t>(hydrogens);
    p_.bracket[a] = bracket;
    p_.aromatic[a] = aromatic;
    p_.implicitH[a] = p_.valence[a] = p_.degree[a] = 0;
    if (last_ >= 0 && !join(last_, a, order_, -1)) return false;
    last_ = a;
    return true;
  }

  bool join(int from, int to, uint8_t order, int closes) {
    if (p_.bonds == kPlainBonds || p_.degree[from] == kPlainDegree || p_.degree[to] == kPlainDegree) return false;
    const int b = p_.bonds++;
    const bool aromatic = order == kUnspecified && p_.aromatic[from] && p_.aromatic[to];
    p_.from[b] = static_cast<uint8_t>(from);
    p_.to[b] = static_cast<uint8_t>(to);
    p_.order[b] = aromatic ? kAromatic : order == kUnspecified ? uint8_t{1} : order;
    p_.written[b] = aromatic;
    p_.closes[b] = static_cast<int8_t>(closes);
    for (const auto &[x, y] : {std::pair{from, to}, std::pair{to, from}}) {
      p_.neighbour[x][p_.degree[x]] = static_cast<uint8_t>(y);
      p_.bond[x][p_.degree[x]++] = static_cast<uint8_t>(b);
    }
    return true;
  }

  // ring opens or closes a ring. If both ends have a bond symbol, they must agree.
  bool ring() {
    int n = *at_++ - '0';
    if (n == '%' - '0') {
      if (end_ - at_ < 2 || !digit(at_[0]) || at_[0] == '0' || !digit(at_[1])) return false;
      n = 10 * (at_[0] - '0') + at_[1] - '0';
      at_ += 2;
    }
    Open &o = open_[n];
    if (o.atom < 0) {
      o = {last_, order_};
      return true;
    }
    const Open begun = o;
    o = {};
    if (begun.order != kUnspecified && order_ != kUnspecified && begun.order != order_) return false;
    if (begun.atom == last_) return false;
    for (int i = 0; i < p_.degree[last_]; ++i) {
      if (p_.neighbour[last_][i] == begun.atom) return false;
    }
    // RDKit's bond begins at the end with the symbol, or otherwise at the second atom.
    return begun.order != kUnspecified ? join(begun.atom, last_, begun.order, n) : join(last_, begun.atom, order_, n);
  }

  const char *at_;
  const char *const end_;
  Plain &p_;
  int last_ = -1;  // the atom that the next one is bonded to
  uint8_t order_ = kUnspecified;
  int branch_[kDepth];
  int depth_ = 0;
  Open open_[kRings];
};

}  // namespace

bool readPlain(const char *smiles, int length, Plain &p) { return Reader(smiles, length, p).read(); }

}  // namespace pacia
