// Package label reads cells of tables as labels: active, inactive, not measured, or
// not decided.
//
//  1. Word reads what people write for active and inactive: 1 and 0, yes and no,
//     true and false, active and inactive, + and − (word.go).
//  2. A measurement is a value as it stands in a table, with its sign, number
//     and unit: "<0.5", "> 10 µM", "5,3 nM" (measurement.go, number.go, unit.go).
//  3. Rule defines which values are active: those below or above a threshold. A
//     censored value, such as ">1 µM" where a molecule is active below 10 µM,
//     may decide nothing.
//  4. Signs, units and the kinds of measurements may stand in columns of their own
//     (adjacent.go), and a column's name may hold a unit (name.go).
//  5. Column reads all cells of a column in one way (column.go). What a comma in a
//     number means, and what a dash means, depends on all of them together. A cell
//     that cannot be read is left out, and noted.
//
// An assumption becomes a [note.Note]. Where two readings are equally likely, the column is
// refused, and the message names the flag that decides.
package label
