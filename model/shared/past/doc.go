// Package past holds what a user's past assays measured of molecules, in few bytes, so that a model of a million molecules and
// hundreds of assays opens at once.
//
//  1. [New] makes a [Memory] of columns of labels and ranks.
//  2. [Compose] joins the assays of several memories that count into one.
//  3. A [Part] is a memory with the assays of it that count; [Part.Append] returns the labels of a molecule.
//  4. [Memory.Write] stores a memory beside a model's tensors, and [Read] maps it.
//
// Molecules are identified by keys, hashes of their fingerprints with 48 bits (package remembered).
package past
