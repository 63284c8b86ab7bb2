// Package study looks into one trained model at work on one test task.
//
//  1. Of (study.go) draws the support set of the evaluation that selected the model,
//     and queries of both classes, and has model.Inspect show their stages.
//  2. stages.go puts the embeddings of each stage together: without adaptation,
//     adapted to the task, after the relation graph at one depth for all, and at
//     each query's own.
//  3. cases.go chooses the queries to show one by one.
//  4. depths.go reads groups of molecules, which were given different depths, at
//     every depth.
//  5. smiles.go finds the text of each molecule, in a table or in task files, and
//     write.go leaves it all as JSON.
package study
