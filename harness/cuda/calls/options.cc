#include "options.hh"

#include <cstdlib>
#include <sstream>

#include "report.hh"

namespace standin {

namespace {

Options parsed(const char *text) {
  Options o;
  std::istringstream list(text ? text : "");
  for (std::string one; std::getline(list, one, ',');) {
    const auto at = one.find('=');
    const std::string name = one.substr(0, at), value = at == std::string::npos ? "" : one.substr(at + 1);
    if (name == "order" && value == "eager") {
      o.order = Order::eager;
    } else if (name == "order" && value == "lazy") {
      o.order = Order::lazy;
    } else if (name == "order" && value.rfind("random:", 0) == 0) {
      o.order = Order::random;
      o.seed = std::stoull(value.substr(7));
    } else if (name == "memory") {
      o.memory = static_cast<size_t>(std::stod(value) * (size_t{1} << 30));
    } else if (name == "values") {
      o.values = value != "0";
    } else if (name == "protect") {
      o.protect = value != "0";
    } else if (name == "report") {
      o.report = value;
    } else if (name == "summary") {
      o.summary = value;
    } else if (!one.empty()) {
      fatal("PACIA_STANDIN: " + one + " is unknown; see harness/cuda/calls/options.hh");
    }
  }
  return o;
}

}  // namespace

const Options &options() {
  static const Options o = parsed(std::getenv("PACIA_STANDIN"));
  return o;
}

}  // namespace standin
