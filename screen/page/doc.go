// Package page writes the page of one ranked library: pacia predict --report.
//
//  1. A [Page] holds the content: the panel that says how far to trust the ranking, the
//     first rows, the picks, the support set, and what was read and set.
//  2. draw.go draws each molecule once, small and in colours that a dark page can invert.
//  3. plane.go gives the support set and the shown rows places in the plane by their Tanimoto
//     coefficients; histogram.go counts all probabilities.
//  4. page.html makes one file of it. It holds no script and makes no network request, and
//     all text that users wrote goes through html/template.
//
// The size of the page is limited for any library: texts are cut and drawings above a size
// are left out, so the file stays below 10 MB. A page of a hundred common molecules has 0.6
// MB.
package page
