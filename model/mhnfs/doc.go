// Package mhnfs is MHNfs (Schimunek, Seidl, Friedrich, Kuhn, Rippmann, Hochreiter and
// Klambauer: Context-enriched Molecule Representations Improve Few-shot Drug Discovery, ICLR
// 2023): molecules are changed by similar molecules of a context of training molecules, then
// by each other, and compared. It is written from the equations alone.
//
//  1. A molecule's vector x [d] is the output of the readout ([model.Body.Encode]).
//  2. Context: C = model.context.molecules, drawn by the run's seed from those of the training
//     tasks, are kept with the model as the encoder reads them (context.go). In each step they
//     are encoded, c [C, d], without gradient. With layer norm LN, without scale and offset
//     where no other letter is beside it, and heads h of width w,
//     x ← LN(x), k = LN_k(LN(c)) W_k, v = LN_v(LN(c)) W_v,
//     x ← x + W_o [softmax(β LN_q(x) W_q kᵀ) v]_h, β = 1/√w:
//     one update of a modern Hopfield network that stores the context.
//  3. Cross-attention: z = [LN(x) | a], where model.attention.labels entries a are 1 of an
//     active support molecule, −1 of an inactive one and 0 of a query. One block of a
//     transformer, y = z + Attn(LN_1 z), x ← z + y + W_2 ReLU(W_1 LN_2 y) without the last
//     entries: z enters twice, as published.
//  4. Comparison: P(active) = σ(β' s), s = ½(mean over actives of ⟨e, e_a⟩ − mean over
//     inactives of ⟨e, e_i⟩), e = LN(x), as in [pacia/model/siamese].
//  5. Training: the loss is the mean cross entropy of an episode's queries. Dropout acts on
//     the softmax of 2. With the probability model.attention.mask a row of 3 does not see
//     another one, and a pair of 4 is left out.
//  6. A test task takes one forward pass of its support set and of the context, and no
//     gradient step.
//
// The queries of an episode share its support. In 3 a query sees the support and itself, and
// a support molecule the support, so that no score depends on another query. In the
// published program each query has a support set of its own, which sees it.
//
// Not here: the published encoder's SELU and alpha dropout, and a context that is drawn anew
// at each step.
package mhnfs
