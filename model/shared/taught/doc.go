// Package taught predicts what past assays would have measured of molecules that they did not measure, from the vectors of a
// pretrained encoder.
//
//  1. [Teach] teaches a [Network] all labels of past assays at once, with an output for each assay.
//  2. [Network.Predict] returns the mean rank that it expects of a molecule in each assay.
//  3. [Network.Bytes] and [Parse] are its form in a model's file.
//
// Legend: n molecules, W numbers of a vector, d hidden width, A past assays.
package taught
