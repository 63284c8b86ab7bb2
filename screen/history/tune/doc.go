// Package tune finds how much past assays should count, from these assays themselves.
//
//  1. [Draw] makes a [Trial] of each past assay: a support set and queries, as the model compares them without past assays (draw.go).
//     Trials hold no molecules, only hashes of these, so that a model's file can keep them (bytes.go).
//  2. [Choose] ranks the queries of each trial by the other past assays with each [model.PastWeights] of a grid, and keeps those that
//     serve the trials best (choose.go).
//  3. The [Table] of this is a proof on the user's assays (table.go).
package tune
