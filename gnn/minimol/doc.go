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
//   - encoder.go is model.encoder=minimol: trained layers on fixed vectors.
//   - trained.go is model.encoder=minimol-trained: the network is also trained. graph.go makes its inputs
//     from a batch.
//
// Fixed vectors are computed on the CPU in float32. PACIA's FiLM modulates the layers after the network,
// because the network's own states have 336 and 512 numbers. The sign of an eigenvector of the Laplacian
// is arbitrary. MiniMol's code takes the sign that the eigensolver returns. Here, the features
// that the network computes from an eigenvector are averaged over both signs, so that a vector does not
// depend on the solver. Compared with one choice of signs this changes a vector by 0.2 % in the median
// and by at most 7 %. The order of the atoms in a SMILES changes it by 1e-6, except in molecules whose
// Laplacian has a repeated eigenvalue: there by up to 3 % in the 99th percentile.
package minimol
