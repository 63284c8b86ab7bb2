// Package pretrain pretrains an encoder on molecules, with most tasks without labels,
// after Hu et al. (2020), "Strategies for Pre-training Graph Neural Networks", Hou et al.
// (2022), "GraphMAE", Xu et al. (2021), "Self-supervised Graph-level Representation
// Learning with Local and Global Structure", and Zhang et al. (2021), "Motif-based Graph
// Self-Supervised Learning for Molecular Property Prediction". Pre-PACIA and other methods
// with pretraining start from such an encoder (model.pretrained).
//
//  1. [Open] reads the SMILES of a file or a folder, and the labels beside them. RDKit turns
//     the SMILES into graphs. A tenth of the molecules is held out ([Library]). exclude.go
//     leaves out the molecules of another file.
//  2. A task makes questions (prediction targets) from molecules on the host, and answers
//     them with the encoder and additional trained layers. network.go defines a task, and
//     pass.go has the shared parts. subgraph.go joins molecules, or parts of them, to a batch.
//     masking.go predicts the elements of hidden atoms, context.go which substructures and
//     contexts belong together, edges.go which atoms are bonded, infomax.go to which molecule
//     an atom belongs, supervised.go labels, and graphmae.go hidden atoms with a decoder.
//     graphlog.go compares molecules with copies with hidden atoms, and prototypes.go with a
//     tree of prototypes. mgssl.go generates trees of motifs (motifs.go splits a molecule into
//     motifs, walk.go orders them), and multilevel.go also predicts hidden atoms and bonds.
//  3. [Run] makes the steps (steps.go) in the loop of package run/loop, measures the answers on the
//     held-out molecules, and writes the encoder to a file, beside the state from which it can be
//     resumed (state.go).
//
// Differences from published code, beside those in docs/pretraining.md:
//
//   - An incomplete last batch of an epoch is left out, unless it is the only one.
//   - Initial parameters have PyTorch's distributions, from the seed and the parameter's name.
//   - GraphLoG: if fewer than two prototypes of the finest level have enough members, the two
//     with the most are kept. The second stage has a new optimiser, with moments of zero.
//   - MGSSL: all bonds that its decomposition should cut are cut. The published program misses
//     some, because it deletes from the list that it iterates over. A molecule of several parts
//     has a tree for each.
//
// All randomness is a pure function of the seed, the epoch and the molecule
// (data.Rand). The same seed gives the same encoder, bit for bit, on a CPU with
// the same number of threads, also if the run was stopped and resumed.
package pretrain
