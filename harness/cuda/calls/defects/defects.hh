// Deliberate defects. Each breaks a rule of CUDA, and the stand-in must report it.
#pragma once

#include <string>
#include <vector>

namespace defects {

// Defect runs in a process of its own. `reported` is a part of the stand-in's report, or one of
// the outcomes below.
struct Defect {
  const char *name;
  void (*make)();
  std::string reported;
  const char *order = "eager";
};

// Outcomes of a process that leaves no report.
inline const std::string kKilled = "(killed: memory that it must not touch)", kSeen = "(seen: the values are wrong)",
                         kNone = "(nothing: it is right)";

// seen ends the process of a defect that only shows in values, if they are wrong.
void seen(bool wrong);

// check runs each defect, prints those that were not caught, and returns their number. If
// the program's argument is the name of a defect, it only runs that defect.
int check(int n, char **arguments, const std::vector<Defect> &all);

}  // namespace defects
