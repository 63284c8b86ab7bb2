// Package minimol makes vectors of molecules by the encoder MiniMol (Kläser et al. 2024, arXiv
// 2404.14986), a GINE network of 16 layers that was trained on labels of 6 million molecules, 1,328
// PubChem assays among them.
//
//   - network.go reads the parameters: state_dict.pth is that of the wheel minimol 1.3.5, byte for
//     byte, 20.8 MB in float16. Its licence, MIT's, is LICENSE.MiniMol. The network's heads, 4.8 MB
//     of it, are not used.
//   - batch.go makes the inputs: atoms and bonds by package rdkit, return probabilities of random
//     walks and eigenvectors of the Laplacian by package ops.
//   - vectors.go standardises vectors by the mean and the deviation of each number over the 227,830
//     molecules of FS-Mol's training assays, which standard.txt has.
//   - encoder.go is model.encoder=minimol: layers that are taught, on vectors that stay as they are.
//   - trained.go is model.encoder=minimol-trained: the network is taught with them. graph.go makes what
//     it reads of a batch.
//
// Vectors that stay as they are come from the CPU, in float32. PACIA's FiLM modulates the layers behind
// the network: those of the network have states of 336 and 512 numbers. An eigenvector
// of the Laplacian has no sign of its own. MiniMol's code takes what the eigensolver returns; here
// the mean over both signs is taken where eigenvectors enter the network, so that a vector does not depend
// on the solver. Compared with one choice of signs this changes a vector by 0.2 % in the median and by 7 % at
// most. The order of a SMILES' atoms changes it by 1e-6, except in molecules whose Laplacian has a repeated
// eigenvalue: there by up to 3 % in the 99th percentile.
package minimol
