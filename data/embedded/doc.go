// Package embedded contains a data set, so that the program can train without a
// download.
//
// Its small molecules were made for this project. They are random combinations of
// rings, linkers and groups, and were read back by RDKit. They do not come from any
// collection, and have the project's licence. The program that made them is in
// Git's history: data/embedded/gen at commit ceb3a9d8.
//
// Each task is the presence or absence of a structural feature. TASKS.md lists the
// tasks with their exact definitions. Like an assay, a task has labels for only some
// of the molecules. For each molecule size, equally many have and lack the feature.
// Three properties make the set suitable for few-shot learning:
//
//   - Each training feature has two tasks: in "benzene" the molecules with the ring
//     are active, in "no_benzene" those without it. The meaning of active can only be
//     learnt from the support set.
//   - The held-out tasks are other features, none correlated with a training
//     feature by |phi| of 0.5 or more.
//   - Half of the held-out tasks are absences, chosen so that no simple score
//     (size, logP, polar surface) does better than chance on their mean.
//
// A model that ignores its support set therefore stays near a mean ROC-AUC of
// 0.5 on the held-out tasks. The set shows that learning works, but results on it
// do not predict those on assays.
package embedded
