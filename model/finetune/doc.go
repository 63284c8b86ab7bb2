// Package finetune is the baseline of PACIA's adaptation: the same encoder and relation
// graph without hypernetworks. A test task gets a copy of them, and a few gradient steps
// on its support set change the copy as a whole (docs/methods.md).
//
//  1. Training is PACIA's: the cross entropy of an episode's queries, after the last
//     relation layer.
//  2. A step of fine-tuning is the same on an episode with the support molecules
//     themselves as queries. Package model makes the copy and the steps.
package finetune
