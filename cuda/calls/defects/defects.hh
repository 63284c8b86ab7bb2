// Defects on purpose: each breaks a rule of CUDA's, and the stand-in must report it.
#pragma once

#include <string>
#include <vector>

namespace defects {

// Defect is made in a process of its own. reported is in the stand-in's report, or it is one of
// the ends below.
struct Defect {
  const char *name;
  void (*make)();
  std::string reported;
  const char *order = "eager";
};

// Ends of a process that leave no report.
inline const std::string kKilled = "(killed: memory that it must not touch)", kSeen = "(seen: the values are wrong)",
                         kNone = "(nothing: it is right)";

// seen ends the process of a defect that shows in values, if they are wrong.
void seen(bool wrong);

// check makes each, prints those that were not caught and returns how many they are. With a
// defect's name among the program's arguments it makes that one alone.
int check(int n, char **arguments, const std::vector<Defect> &all);

}  // namespace defects
