// Package maml is model-agnostic meta-learning (Finn, Abbeel and Levine, ICML 2017). It learns
// initial values of an encoder and a linear classifier, from which a few gradient steps on a
// task's support set lead to a good model. All parameters φ are adapted.
//
//  1. The logits of a molecule with the vector x are W x + b; the loss L of labelled
//     molecules is their mean cross entropy ([pacia/model/shared/classifiers.Shared]).
//  2. Inner steps: φ_{t+1} = φ_t − α ∇L_S(φ_t) on the support S, from the model's φ_0,
//     for each task of a step separately ([maml.path]). Batch norm takes the statistics of the
//     molecules in a pass: the support in an inner step, the queries in the outer loss.
//     Every pass of training updates its running averages.
//  3. The outer loss is L_Q(φ_T) of the queries, the mean over the tasks of a step. Its
//     gradient by φ_0 is v_0, with v_T = ∇L_Q(φ_T) and
//     v_t = v_{t+1} − α ∇²L_S(φ_t) v_{t+1}. Order 1 omits the second term: v_0 = v_T.
//  4. Order 2 computes the product of Hessian and vector from two gradients in double
//     precision, ∇²L v ≈ [∇L(φ + ρv) − ∇L(φ − ρv)]/2ρ, on a copy of the whole network
//     ([maml.product]). So no operation needs a second derivative. The error is 1e-10. In
//     single precision such differences would be useless.
//  5. For a test task, a copy of the model makes train.finetune.steps of the same steps, with
//     the rate train.finetune.rate.
//
// The method is as in learn2learn 0.1.7 (learn2learn/algorithms/maml.py), except that test
// tasks do not change the running averages of the model, and queries of a test task are not
// normalised by each other.
package maml
