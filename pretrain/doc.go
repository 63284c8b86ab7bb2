// Package pretrain teaches an encoder from molecules without labels, after Hu
// et al. (2020), "Strategies for Pre-training Graph Neural Networks". Pre-PACIA
// starts from such an encoder (model.pretrained).
//
//  1. [Open] reads the SMILES of a file, of which RDKit makes graphs; a tenth of
//     the molecules is held out ([Library]).
//  2. A task makes questions of molecules, on the host: masking.go hides atoms,
//     whose elements are to be predicted; context.go cuts out the surroundings of
//     an atom and what lies around these, and asks which of them belong together.
//     subgraph.go counts the bonds between atoms for it.
//  3. network.go answers with the encoder and one linear layer, or a second
//     encoder; the loss is a cross entropy.
//  4. [Run] makes the steps, measures the answers on the held-out molecules, and
//     leaves the encoder in a file.
//
// All randomness is a pure function of the seed, the epoch and the molecule
// (data.Rand): the same seed gives the same encoder, to the bit, on a CPU with
// the same number of threads.
package pretrain
