// Package page writes a report on a ranked library as one HTML file: pacia predict --report.
//
//  1. A [Page] holds the content: the panel on how far to trust the ranking, the
//     first rows, the picks, the support set, the findings about the files, and the settings.
//  2. draw.go draws each molecule once, small and in colours that a dark page can invert.
//  3. plane.go arranges the support set and the shown rows in the plane by their Tanimoto
//     coefficients; histogram.go counts all probabilities.
//  4. page.html is the template of the file. It contains no script and makes no network request, and
//     html/template escapes all text of users.
//
// The size of the file is below 10 MB for any library: texts are shortened and large drawings
// are left out. A page of a hundred common molecules has 0.6 MB.
package page
