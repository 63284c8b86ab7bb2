// Package ui is what a person sees while a command works, and after it: how far
// it is, how long it will still take, tables, numbers and times.
//
//  1. A Display (display.go) shows the way to a known total, and a Transfer
//     (transfer.go) one of bytes: a bar on a terminal, else a line from time to
//     time. A Live (live.go) is a text that is drawn again and again.
//  2. A Pace (pace.go) tells from the steps so far how long the rest will take.
//  3. A Table (table.go) aligns cells; text.go writes counts, times and sizes.
//
// Results go to the standard output, progress to the standard error. The
// package knows no command: these hand it numbers and words.
package ui
