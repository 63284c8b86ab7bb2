// Package atomicfile writes files atomically: a process killed midway leaves the old file
// intact, and a file survives a power cut once Write has returned.
//
//  1. Check reports, before the content is computed, that a path cannot be written.
//  2. Write writes a temporary file, syncs it to the disk and renames it.
//  3. Only regular files are replaced (target.go). A link stays and its target is replaced,
//     and the content is written to a device or a pipe.
//
// This package writes all output files and all files that the program reads again, except
// those that grow during a run.
package atomicfile
