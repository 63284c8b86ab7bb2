// Package finetune is what PACIA's adaptation is compared with: the same encoder
// and relation graph without hypernetworks, of which a test task gets a copy that
// a few gradient steps on its support set change as a whole (docs/methods.md).
//
//  1. Training is PACIA's: the cross entropy of an episode's queries, after the last
//     relation layer.
//  2. A step of fine-tuning is the same on an episode whose queries are the support
//     molecules themselves. Package model makes the copy and the steps.
package finetune
