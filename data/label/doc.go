// Package label reads cells of tables as labels: active, inactive, not measured, or
// not decided.
//
//  1. Word reads what people write for active and inactive: 1 and 0, yes and no,
//     true and false, active and inactive, + and −.
//  2. Measurement reads a value as it stands in a table, with its sign, number
//     and unit: "<0.5", "> 10 µM", "5,3 nM".
//  3. Rule says which values are active: those below or above a threshold. A
//     censored value, such as ">1 µM" where a molecule is active below 10 µM,
//     may decide nothing.
//  4. Column reads all cells of a column in one way: what a comma in a number
//     means is told from all of them together.
package label
