// Package iterref is the iterative refinement LSTM (Altae-Tran, Ramsundar, Pappu and Pande:
// Low Data Drug Discovery with One-Shot Learning, ACS Central Science 3, 2017): support and
// queries are changed by the molecules they resemble before they are compared.
//
//  1. A molecule's vector is the output of the readout ([model.Body.Encode]): s of the
//     support [N, d], x of a query; with model.similarity=mean, after layer norm.
//  2. T = model.refinement.steps times, from δ = 0, LSTM states 0 and z = s, with cosines of
//     rows and softmax over the support ([pacia/ops.Match]):
//     r = softmax(cos(z + δ_s, s)) s, g = softmax(cos(x + δ_q, z)) z,
//     δ_s ← LSTM_s([δ_s | r]), δ_q ← LSTM_q([δ_q | g]), z ← r.
//     δ is also the LSTM's state, and so an input twice, as in both published codes.
//  3. x + δ_q is compared with the s + δ_s as in [pacia/model/siamese]. With T = 0 the
//     method is the Siamese network. Neither queries nor the support read other queries.
//  4. Training: the loss is the mean cross entropy of an episode's queries.
//  5. A test task takes one forward pass of its support set, and no gradient step.
package iterref
