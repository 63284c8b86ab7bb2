// Package single is single-task learning (GNN-ST of FS-Mol's benchmark, Stanley et al.
// 2021): multi-task learning without the other tasks. Nothing is trained beforehand. For a
// test task, an encoder and a classifier with random weights make gradient steps on its
// support set ([pacia/model/multitask]).
package single
