// Package teach teaches past assays to a model, for molecules that they did not measure.
//
//  1. [Teach] reads the molecules of past assays with vectors of the pretrained encoder, and teaches a network their labels.
//  2. Before, it hides molecules and assays, teaches the others, and compares how the model ranks hidden molecules in hidden assays
//     with and without what was taught ([Judgement]). What does not help is not kept.
package teach
