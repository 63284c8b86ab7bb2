// Code that all calls of RDKit share: it silences logs, and converts exceptions to text.
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
// logLock shared. LogCapture, which replaces the error log, holds it exclusively.
std::shared_mutex &logLock();

// Quiet turns all logs off for a call that may run concurrently with others.
class Quiet {
 public:
  Quiet();

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

// LogCapture captures RDKit's error log during its lifetime. RDKit reports only there why a
// SMILES is malformed.
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

// read returns the molecule of a SMILES, or throws the reason why it cannot be read.
Mol read(const std::string &smiles);

// accepted returns a molecule that RDKit made from a SMILES. It throws a reason if RDKit made
// none, or one without atoms, or one with more than PACIA_MAX_ATOMS.
Mol accepted(Mol mol, const std::string &smiles);

// orderOf returns 0 for a single bond, 1 for a double, 2 for a triple, 3 for an aromatic one and 4 for others.
int orderOf(const RDKit::Bond &bond);

// orderOf throws a reason with `names` if the bond is not one of the first `kinds` of these.
uint8_t orderOf(const RDKit::Bond &bond, int kinds, const char *names);

// copyReason writes the first line of text to out as a C string of at most
// capacity bytes, including its final zero. It leaves out the time of day that RDKit
// writes before its messages.
void copyReason(const std::string &text, char *out, int32_t capacity) noexcept;

// guarded runs body and returns its status. After an exception it returns `failed`, and
// the message is the reason.
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
