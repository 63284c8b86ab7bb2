// Package ui prints the progress and the results of commands: the remaining time,
// tables, numbers and times.
//
//  1. A Display (display.go) shows progress towards a known total, and a Transfer
//     (transfer.go) the progress of a download: a bar on a terminal, otherwise a line
//     from time to time. A Live (live.go) is a text that is redrawn every second.
//  2. A Pace (pace.go) estimates the remaining time from the steps so far.
//  3. A Table (table.go) aligns cells; text.go formats counts, times and sizes.
//  4. A Log (log.go) is the standard error, as text or JSON, with a level of detail.
//
// Results go to the standard output, and everything else to the standard error. The
// package does not depend on any command.
package ui
