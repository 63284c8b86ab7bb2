// Package study examines one trained model on one test task.
//
//  1. Of (study.go) draws the support set of the evaluation that selected the model
//     and queries of both classes, and calls model.Inspect for their stages.
//  2. stages.go collects the embeddings of each stage: without adaptation,
//     adapted to the task, after the relation graph at the same depth for all queries, and at
//     each query's own depth.
//  3. cases.go chooses the queries to show one by one.
//  4. depths.go classifies groups of molecules, to which the model assigned different depths, at
//     every depth.
//  5. smiles.go finds the SMILES of each molecule in a table or in task files, and
//     write.go writes the study as JSON.
package study
