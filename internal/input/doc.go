// Package input opens the files that a user names. All other packages read such files
// through it.
//
//  1. Open refuses folders, disks, devices such as /dev/zero, and files that are larger
//     than the reader's limit. Every error names the file.
//  2. Reading a File stops when its context ends, even while it waits for a pipe.
//  3. Plain decompresses gzip files, with a limit on the ratio of the sizes (plain.go).
//  4. ReadAll reads a small file completely.
//
// Files are not trusted: they may be endless, sparse or malicious.
package input
