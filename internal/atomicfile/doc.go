// Package atomicfile writes files that are whole or not there: what is killed
// half-way leaves the old file, and what has returned survives a power cut.
//
//  1. Check says, before the work is done, what keeps a path from being written.
//  2. Write fills a temporary file, brings it to the disk and gives it its name.
//  3. What is no file is never replaced by one (place.go): the target of a link is, a
//     device or a pipe takes the bytes.
//
// Every file that the program leaves for later, or that a user names, is written
// here, but for those that grow while a run goes on.
package atomicfile
