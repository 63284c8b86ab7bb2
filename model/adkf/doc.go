// Package adkf is adaptive deep kernel fitting with implicit function theorem (Chen,
// Tripp and Hernández-Lobato: Meta-learning Adaptive Deep Kernel Gaussian Processes for
// Molecular Property Prediction, ICLR 2023): a Gaussian process on the encoder's vectors.
// Three of its numbers are fitted to each task, and the encoder learns vectors on which
// processes fitted in this way predict well.
//
// Legend: N support molecules of a task, M queries, t = ±1 their labels; f vectors of
// molecules; η = (η_ν, η_s, η_ℓ) the task's three numbers; ν, s² and ℓ are their
// softplus.
//
//  1. A molecule's vector f is the output of the readout ([model.Body.Encode]).
//  2. The process has mean 0 and Matérn's kernel 5/2, k = s²(1 + r + r²/3)e^(−r) with
//     r = √5|f − f'|/ℓ, and labels noise of variance ν: C = K_SS + νI.
//  3. A task's η is the least of L_S(η) = −[log N(t_S; 0, C) + log p(ν) + log p(ℓ)]/N,
//     by Newton's method in float64 ([fitProcess]). The priors are log-normal:
//     the mode of ν is 0.1, the mode of ℓ is ℓ₀, the median distance of the support's
//     vectors divided by √2.
//  4. The loss of a task is L_Q = −log N(t_Q; m, V) over all its queries jointly, with
//     the posterior mean m and covariance V. It is not divided by M.
//  5. The encoder's gradient follows η, which moves with the vectors F: dL_Q/dF = ∂L_Q/∂F −
//     (∂²L_S/∂F∂η)ᵀ H⁻¹ ∂L_Q/∂η, H = ∂²L_S/∂η². [processLoss] returns it with
//     the loss, and one backward pass through the encoder uses it.
//  6. A query's score is its mean m = K_QS C⁻¹ t_S: P(active) = σ(m), an order and not a
//     calibrated probability. It does not depend on the other queries.
//
// In the published code the fit, H and both gradients use different vectors, with
// different dropout masks, and at test time η is fitted to vectors with dropout. Here all
// use the vectors of one pass. The published test on MoleculeNet takes a step on labels
// of the test task. The test here does not.
package adkf
