// Package report turns finished runs into tables and figures, beside published values.
//
//  1. Read (group.go) reads folders of runs and combines runs that differ
//     only in the seed: a Group. Groups of one Trial (trial.go: data set, size of the
//     support sets, metric) form a Section with its own table. Runs that cannot be compared
//     are refused.
//  2. A Spread (spread.go) is a metric over seeds: the values, their mean and standard
//     deviation, and the 95 % interval of the mean over tasks. There is one for each measured
//     way to choose the model.
//  3. published.go reads the published figures from published.csv. preset.go decides which runs
//     may stand beside them: only those of the published model. supplement.go has the tables of
//     adaptivity and of FS-Mol's categories, enrichment.go the table of early enrichment,
//     costs.go that of all metrics, parameters and seconds.
//  4. Package figure draws the figures that figures.go and learning.go choose. Values that the
//     folders of runs lack are measured with their best models (measured.go, package
//     scores). response.go and ablation.go draw the metric over the settings in
//     which runs differ.
//  5. Package study examines one model on one test task; insight.go draws the
//     results.
//  6. Write writes report.md, tables as CSV (csv.go) and for LaTeX (latex.go),
//     study.json, figures/ and a self-contained page, report.html (write.go,
//     page.go). It removes the files of an earlier report (manifest.go).
package report
