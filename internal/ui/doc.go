// Package ui shows a person what a command is doing and has done: progress, the
// time that is left, tables, numbers and times.
//
//  1. A Display (display.go) shows progress towards a known total, and a Transfer
//     (transfer.go) that of a download: a bar on a terminal, otherwise a line from
//     time to time. A Live (live.go) is a text that is drawn again and again.
//  2. A Pace (pace.go) estimates from the steps so far how long the rest will take.
//  3. A Table (table.go) aligns cells; text.go writes counts, times and sizes.
//  4. A Log (log.go) is the standard error, as text or as JSON, with more or less.
//
// Results go to the standard output, progress and all else to the standard error. The
// package knows no command.
package ui
