// Package atomicfile writes files atomically: a process killed midway leaves the old file
// intact, and a file survives a power cut once Write has returned.
//
//  1. Check reports, before the work is done, any obstacle that keeps a path from being
//     written.
//  2. Write fills a temporary file, brings it to the disk and gives it its name.
//  3. Only regular files are replaced (target.go): a link stays and its target is
//     replaced, and a device or a pipe takes the bytes.
//
// This package writes every file that the program leaves for later, or that a user names,
// except for those that grow during a run.
package atomicfile
