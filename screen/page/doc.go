// Package page writes the page of one ranked library: pacia predict --report.
//
//  1. A [Page] is what is to be shown: the panel that says how far to trust the ranking, the
//     first rows, the picks, the support set, and what was read and set.
//  2. draw.go draws each molecule once, small and in colours that a dark page can turn round.
//  3. plane.go gives the support set and the shown rows places in the plane by their Tanimoto
//     coefficients; histogram.go counts all probabilities.
//  4. page.html makes one file of it. It holds no script and asks no network for anything, and
//     whatever users wrote goes through html/template.
//
// The page has an end, whatever is in the library: texts are cut, drawings above a size are
// left out, and so the file is below 10 MB. Of a hundred common molecules it has 0.6 MB.
package page
