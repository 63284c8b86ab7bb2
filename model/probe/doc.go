// Package probe is the quadratic probe of Formont et al. (A Strong Baseline for Molecular
// Few-Shot Learning, TMLR 2025, arXiv 2404.02314): a class is a mean and a precision matrix,
// fitted to the support set on vectors that stay as they are (docs/methods.md).
//
// Legend: N support molecules, n of them of a class k, y_i the class of molecule i, d width of a vector;
// λ model.shrinkage, τ model.temperature.
//
//  1. vectors.go: a molecule's vector z has length 1. It is made of what the encoder reads, or by an
//     encoder that training tasks have taught.
//  2. class.go: the squared distance of z to class k is (z − w_k)ᵀ M_k (z − w_k), with the precision
//     matrix M_k = ((1 − λ)/(n − 1) Σ_{i: y_i = k} (z_i − w_k)(z_i − w_k)ᵀ + λ I)⁻¹. M_k minimises
//     (1 − λ)/(n − 1) Σ_i |z_i − w_k|²_M + λ tr M − log det M. Without −log det M, the cross entropy
//     of classes that can be separated falls for ever as M grows.
//  3. fit.go: block-coordinate descent. M_k follows from w_k; then w_k takes a step of Adam down the
//     cross entropy of the support set, whose logits are −τ times the distances. It begins at the
//     direction of the class's mean.
//
// M_k is never formed: with the n rows z_i − w_k it takes the inverse of an n × n matrix (Woodbury), so
// that a step grows with N² d + N³.
package probe
