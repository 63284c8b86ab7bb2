// Package history reads past assays of a user, whose molecules the model then also compares by what was measured of them.
//
//  1. [Open] reads files of past assays, each with one assay or several (open.go).
//  2. [Past.Without] leaves out the assay that is ranked, if it is among them (itself.go).
//  3. [Past.Recall] returns models with the past assays.
package history
