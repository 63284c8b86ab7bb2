// Package single is learning from one task alone (GNN-ST of FS-Mol's benchmark, Stanley
// et al. 2021): multi-task learning without the other tasks. Nothing is trained
// beforehand; a test task gets an encoder and a classifier of random weights, and
// gradient steps on its support set ([pacia/model/multitask]).
package single
