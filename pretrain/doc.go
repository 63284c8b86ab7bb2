// Package pretrain teaches an encoder from molecules, most of its tasks without labels,
// after Hu et al. (2020), "Strategies for Pre-training Graph Neural Networks", Hou et al.
// (2022), "GraphMAE", Xu et al. (2021), "Self-supervised Graph-level Representation
// Learning with Local and Global Structure", and Zhang et al. (2021), "Motif-based Graph
// Self-Supervised Learning for Molecular Property Prediction". Pre-PACIA and the rivals with
// pretraining start from such an encoder (model.pretrained).
//
//  1. [Open] reads the SMILES of a file or a folder, and the labels beside them. RDKit turns
//     the SMILES into graphs. A tenth of the molecules is held out ([Library]). exclude.go
//     leaves out those of another file.
//  2. A task makes questions of molecules, on the host, and answers them with the encoder
//     and the layers that learn beside it (network.go defines a task, pass.go has the shared
//     parts). subgraph.go joins molecules, or parts of them, to a batch. masking.go hides
//     atoms and asks for their elements; context.go asks which surroundings of atoms and
//     contexts belong together; edges.go which atoms are bonded; infomax.go to which
//     molecule an atom belongs; supervised.go for labels; graphmae.go for hidden atoms by a
//     decoder; graphlog.go compares molecules with themselves, and prototypes.go with a tree
//     of prototypes; mgssl.go generates trees of motifs (motifs.go: what a molecule consists
//     of; walk.go: in which order), and multilevel.go asks for hidden atoms and bonds beside
//     them.
//  3. [Run] makes the steps, measures the answers on the held-out molecules, and leaves
//     the encoder in a file, beside the state from which it goes on (state.go).
//
// Differences from published code, beside those in docs/pretraining.md:
//
//   - An incomplete last batch of an epoch is left out, unless it is the only one.
//   - Initial parameters have PyTorch's distributions, from the seed and the parameter's name.
//   - GraphLoG: where fewer than two prototypes of the finest level have members, the two with
//     the most are kept. The second stage has a new optimiser, with moments of zero.
//   - MGSSL: all bonds that its decomposition should cut are cut; the published program
//     deletes from the list that it walks. A molecule of several parts has a tree for each.
//
// All randomness is a pure function of the seed, the epoch and the molecule
// (data.Rand): the same seed gives the same encoder, to the bit, on a CPU with
// the same number of threads, however often the run was stopped and resumed.
package pretrain
