// Package embedded is the data set inside the program, so that it trains
// without a download.
//
// Its molecules are the project's own: small ones, put together from rings,
// linkers and groups at random, and read back by RDKit. They name no compound of
// any collection, and come under the project's licence. The program that drew them
// is in Git's history: data/embedded/gen at commit ceb3a9d8.
//
// A task is whether a molecule has a structural feature. TASKS.md lists them
// with their exact definitions. Like an assay, a task measures only some of
// the molecules: of each size as many with the feature as without. Three
// things make the set one for few-shot learning:
//
//   - Each training feature is there in both directions: "benzene" calls the
//     molecules with the ring active, "no_benzene" those without. What active
//     means can only be read from the support set.
//   - The held-out tasks are other features, none correlated with a training
//     feature by |phi| of 0.5 or more.
//   - Half of the held-out tasks are absences, chosen so that no simple score
//     (size, logP, polar surface) does better than chance on their mean.
//
// A model that ignores its support set therefore stays near a mean ROC-AUC of
// 0.5 on the held-out tasks. The set shows that learning works; it says
// nothing about how good a model is on assays.
package embedded
