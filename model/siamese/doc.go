// Package siamese is Siamese networks for molecules, as in papers on few-shot learning of
// molecular properties: a query is compared with each support molecule by a similarity of
// their vectors, which come from the same encoder. (Koch et al. 2015 learn a network on
// pairs, which neither published code has.)
//
//  1. A molecule's vector x is the output of the readout ([model.Body.Encode]).
//  2. model.similarity=softmax (Altae-Tran et al. 2017, DeepChem): with 2K support molecules
//     and a_qs = softmax_s(cos(x_q, x_s)), P(active) = Σ_s a_qs y_s. The cosines are not
//     scaled, so that P(active) is between 0.12 and 0.88.
//     model.similarity=mean (Schimunek et al. 2023, MHNfs): with e = LN(x), without scale
//     and offset, P(active) = σ(β s_q), s_q = ½(mean over actives of ⟨e_q, e_a⟩ − mean
//     over inactives of ⟨e_q, e_i⟩) ([pacia/ops.Match]).
//  3. Training: the loss is the mean cross entropy of an episode's queries. DeepChem's is
//     their sum, in steps of one task.
//  4. A test task takes one forward pass of its support set, and no gradient step.
package siamese
