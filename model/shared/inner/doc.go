// Package inner has what methods share that adapt a model to each task of a training step by steps of plain
// gradient descent.
//
// Legend: φ the parameters that a task adapts, φ_0 … φ_T before and after its T inner steps, α their rate, L_S the
// loss of its support set.
//
//  1. [Begin] keeps φ_0 and the gradients from before. [Step.Restore] and [Step.End] set φ_0 again.
//  2. [Step.Descend] makes the inner steps of a task, φ_{t+1} = φ_t − α ∇L_S(φ_t).
//  3. [Gradients] returns v_T, the gradient of the loss of the queries by φ_T. Order 1 uses it in place of the one by φ_0.
//     For order 2, [Path.Through] takes it back through the steps: v_t = v_{t+1} − α ∇²L_S(φ_t) v_{t+1}.
//  4. In a test task, [Tuner] makes such steps on a copy of the model.
package inner
