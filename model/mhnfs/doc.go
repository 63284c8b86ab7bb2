// Package mhnfs is MHNfs (Schimunek, Seidl, Friedrich, Kuhn, Rippmann, Hochreiter and
// Klambauer: Context-enriched Molecule Representations Improve Few-shot Drug Discovery, ICLR
// 2023): the representations of molecules are enriched with similar molecules of a context of
// training molecules, then with each other, and compared. It is written from the equations alone.
//
//  1. A molecule's vector x [d] is the output of the readout ([model.Body.Encode]).
//  2. Context: C = model.context.molecules molecules, drawn from the training tasks with the
//     run's seed, are kept with the model in the form that the encoder reads (context.go). Each
//     step encodes them, c [C, d], without gradient. With layer norm LN (with scale and offset
//     only if it has an index) and heads h of width w,
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
//     the softmax of 2. With the probability model.attention.mask a row of 3 does not read
//     another row, and a pair of 4 is left out.
//  6. A test task takes one forward pass of its support set and of the context, and no
//     gradient step.
//
// The queries of an episode share its support. In 3 a query reads the support and itself, and
// a support molecule reads the support, so that no score depends on another query. In the
// published program each query has its own support set, which also reads the query.
//
// Omitted are the published encoder's SELU and alpha dropout, and a context that is redrawn in
// each step.
package mhnfs
