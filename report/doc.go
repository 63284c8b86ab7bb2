// Package report turns finished runs into tables and figures, beside what was
// published.
//
//  1. Read (group.go) takes folders of runs and puts together those that differ
//     only in the seed: a Group. Groups of one Trial (trial.go: data set, size of the
//     support sets, metric) are a Section, with a table of its own. What does not
//     belong together is refused.
//  2. A figure over seeds is a Spread (spread.go): the seeds, their mean and standard
//     deviation, and the 95 % interval of the mean over tasks, for each of the three
//     ways to choose the model that was measured.
//  3. published.go reads the published figures, of published.csv; preset.go says of
//     which runs they are: of the published model alone. supplement.go has the tables of
//     adaptivity and of FS-Mol's categories, enrichment.go that of early enrichment,
//     costs.go that of both metrics, of parameters and of seconds.
//  4. Package figure draws; figures.go and learning.go say what. What the folders of
//     the runs do not contain is measured with their best models (measured.go, package
//     scores). response.go and ablation.go draw what was reached over the settings in
//     which runs differ.
//  5. Package study looks into one model; insight.go draws what it does to the
//     molecules of one test task.
//  6. Write leaves report.md, tables as CSV (csv.go) and for LaTeX (latex.go),
//     study.json, figures/ and one page, report.html, with all of it inside (write.go,
//     page.go). It removes what an earlier report left there (manifest.go).
package report
