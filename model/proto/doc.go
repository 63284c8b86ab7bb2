// Package proto is prototypical networks (Snell, Swersky and Zemel: Prototypical Networks
// for Few-shot Learning, NeurIPS 2017): a query belongs to the class with the nearest
// mean of support molecules. Only the encoder has parameters.
//
//  1. A molecule's vector x is the output of the readout ([model.Body.Encode]).
//  2. The prototype of class c is the mean μ_c of its support molecules (their equation 1),
//     and the logit of c is −|x − μ_c|² (equation 2 with Euclidean distance, squared as
//     in the published code): [pacia/ops.Distances]. Other values of
//     model.metric are ⟨x, μ_c⟩ and −(x − μ_c)ᵀ Q_c (x − μ_c) with Q_c = (0.1 Cov(S_c) +
//     0.9 Cov(S) + 0.1 I)⁻¹ ([metricLogits]). The latter is that of FS-Mol, whose share
//     min(N_c/(N_c + 1), 0.1) is 0.1 for every N_c.
//  3. Training: the loss is the mean cross entropy of an episode's queries
//     ([pacia/ops.Loss]).
//  4. A test task takes one forward pass of its support set, and no gradient step.
package proto
