// Package probe is the quadratic probe of Formont et al. (A Strong Baseline for Molecular
// Few-Shot Learning, TMLR 2025, arXiv 2404.02314): a class is a mean and a precision matrix,
// fitted to the support set on fixed vectors (docs/methods.md).
//
// Legend: N support molecules, n of them of a class k, y_i the class of molecule i, d width of a vector;
// λ model.shrinkage, τ model.temperature.
//
//  1. vectors.go: a molecule's vector z has length 1. It consists of the encoder's inputs, or is the
//     output of an encoder trained on the training tasks.
//  2. class.go: the squared distance of z to class k is (z − w_k)ᵀ M_k (z − w_k), with the precision
//     matrix M_k = ((1 − λ)/(n − 1) Σ_{i: y_i = k} (z_i − w_k)(z_i − w_k)ᵀ + λ I)⁻¹. M_k minimises
//     (1 − λ)/(n − 1) Σ_i |z_i − w_k|²_M + λ tr M − log det M. Without −log det M, the cross entropy
//     of separable classes has no minimum as M grows.
//  3. fit.go: block-coordinate descent. M_k is computed from w_k. Then Adam makes a step on w_k to reduce
//     the cross entropy of the support set, whose logits are −τ times the distances. w_k starts as the
//     direction of the class's mean.
//
// M_k is never computed as a matrix. With the n rows z_i − w_k only an n × n matrix is inverted
// (Woodbury), so that the cost of a step grows with N² d + N³.
package probe
