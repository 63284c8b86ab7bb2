// Package metamgnn is Meta-MGNN (Guo et al., Few-Shot Graph Learning for Molecular Property
// Prediction, WWW 2021): first-order MAML with additional self-supervised losses, and an
// attention that weights the tasks.
//
// Legend: T tasks of a step, h_v state of an atom after the last encoder layer, g_m vector
// of a molecule, σ the logistic function, BCE and CE mean cross entropies.
//
//  1. P(active) = σ(⟨w, g⟩ + c), with one classifier for all tasks.
//  2. A support set, and the queries of a task, are split into mini-batches b of 5 molecules,
//     in random order. The loss of a mini-batch is
//     ℓ(b) = BCE(labels)/|b| + β [BCE(h_u·h_v of the bonds, 1) + BCE(h_u·h_v of as many other
//     pairs, 0)]/E_b + γ CE(W h_v + c', element of v)
//     over all E_b bonds, random pairs of atoms of the whole mini-batch without a bond, and 5
//     random atoms ([metamgnn.loss]). The means are divided again by |b| and E_b, as in the
//     published code (model.minibatch.divide).
//  3. Inner step, for each task of a step separately: φ_t = φ − α ∇ Σ_b ℓ(b) over the support.
//     φ is the encoder, the readout and the classifier. W is not adapted ([metamgnn.descend]).
//  4. Q_t = Σ_b ℓ(b) over the queries at φ_t. Its gradient by φ_t is used as the one by φ.
//  5. Task vectors: e_t = 0, then e_t ← (e_t + mean of h_v over b)/2 for the support's
//     mini-batches one after the other, at φ. No gradient goes through them.
//  6. The outer loss is (1/T) Σ_t w_t Q_t, w = softmax over the tasks of a(e_t). The network a
//     is linear to 100, ReLU, linear to 1 ([metamgnn.weigh]).
//  7. For a test task, a copy of the model makes train.finetune.steps of these steps with the
//     whole loss, in evaluation mode: without dropout and with the statistics of model.norm.
//
// Batch norm takes the statistics of a mini-batch, and each pass of training updates its
// running averages. All draws depend on the key of the step alone.
//
// The published code adds γ CE of the queries to a loss that is no longer used, so that W
// keeps its initial values. Here it is a part of Q_t.
package metamgnn
