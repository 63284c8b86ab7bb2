// Package finetune is the baseline of PACIA's adaptation: the same encoder and relation
// graph without hypernetworks. For a test task, a few gradient steps on its support set
// change all parameters of a copy (docs/methods.md).
//
//  1. Training is as in PACIA: the loss is the cross entropy of an episode's queries, after
//     the last relation layer.
//  2. A step of fine-tuning is the same on an episode with the support molecules
//     as queries. Package model makes the copy and the steps.
package finetune
