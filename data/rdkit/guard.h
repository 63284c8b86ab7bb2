// What all doors to RDKit share: quiet logs and exceptions as text.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>

#include <GraphMol/RWMol.h>

namespace pacia {

using Mol = std::unique_ptr<RDKit::RWMol>;

// RDKit's logs are global variables. Calls that may write to a log hold
// logLock shared; LogCapture, which replaces the error log, holds it alone.
std::shared_mutex &logLock();

// Quiet lets a call run beside others with every log off.
class Quiet {
 public:
  Quiet();

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

// LogCapture keeps what RDKit writes to its error log while it lives. RDKit
// says there, and only there, why a SMILES is malformed.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture &) = delete;
  LogCapture &operator=(const LogCapture &) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::unique_lock<std::shared_mutex> lock_;
  std::ostringstream text_;
};

// read returns the molecule of a SMILES, or throws the reason why there is none.
Mol read(const std::string &smiles);

// accepted returns a molecule that RDKit made of a SMILES. It throws the reason where RDKit made
// none, or one without atoms, or one of more than PACIA_MAX_ATOMS.
Mol accepted(Mol mol, const std::string &smiles);

// orderOf is 0 of a single bond, 1 of a double, 2 of a triple, 3 of an aromatic one and 4 of others.
int orderOf(const RDKit::Bond &bond);

// orderOf throws a reason where the bond is none of the first `kinds` of these, whose names it has.
uint8_t orderOf(const RDKit::Bond &bond, int kinds, const char *names);

// copyReason writes the first line of text into out as a C string of at most
// capacity bytes, its closing zero included. Times of day that RDKit puts in
// front of its messages are left out.
void copyReason(const std::string &text, char *out, int32_t capacity) noexcept;

// guarded runs body, which returns a status; an exception becomes `failed`
// and its message the reason.
template <class Body>
int32_t guarded(int32_t failed, char *reason, int32_t capacity, Body body) noexcept {
  try {
    return body();
  } catch (const std::exception &e) {
    copyReason(e.what(), reason, capacity);
  } catch (...) {
    copyReason("RDKit raised an unknown exception", reason, capacity);
  }
  return failed;
}

}  // namespace pacia
