// Package label reads the cells of a table as labels: active, inactive, not measured, or
// undecided.
//
//  1. Word reads the usual words for active and inactive: 1 and 0, yes and no,
//     true and false, active and inactive, + and − (word.go).
//  2. A measurement is a value as it is written in a table, with its sign, number
//     and unit: "<0.5", "> 10 µM", "5,3 nM" (measurement.go, number.go, unit.go).
//  3. Rule defines which values are active: those below or above a threshold. A
//     censored value may lie on either side: if molecules are active below 10 µM,
//     ">1 µM" is undecided.
//  4. Signs, units and the types of measurements may be in columns of their own
//     (adjacent.go), and a column's name may contain a unit (name.go).
//  5. Column reads all cells of a column in one way (column.go). The meaning of a comma in a
//     number, and of a dash, depends on all of them together. A cell
//     that cannot be read is left out, and noted.
//
// An assumption becomes a [note.Note]. If two readings are equally likely, the column is
// refused, and the error names the flag that decides.
package label
