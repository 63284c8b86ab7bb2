// The table of operations. Each operation is a row with its name, its plain form, which defines
// it, and those loops and kernels that are faster in measurements.
#include "core/registry.hh"

#include <cstring>
#include <vector>

namespace pacia {

namespace {

std::vector<const pacia_op *> &table() {
  static std::vector<const pacia_op *> rows;
  return rows;
}

}  // namespace

Entered::Entered(const pacia_op &row) { table().push_back(&row); }

}  // namespace pacia

extern "C" {

const pacia_op *pacia_op_at(int i) {
  const auto &rows = pacia::table();
  return static_cast<size_t>(i) < rows.size() ? rows[static_cast<size_t>(i)] : nullptr;
}

const pacia_op *pacia_find(const char *name) {
  for (const pacia_op *op : pacia::table())
    if (std::strcmp(op->name, name) == 0) return op;
  return nullptr;
}

}  // extern "C"
