// Package gotchcache lets programs start where there is no home, or none to write to.
//
// When gotch is initialised it makes a folder for models that it could download, below
// HOME, and ends the program where it cannot. Nothing here downloads any, so this
// package points gotch to a folder that always exists. This package has to be
// initialised before gotch, and is: Go initialises packages in the order of their import
// paths as soon as all their imports are initialised. This one imports only syscall. The
// package os, and so gotch, waits for syscall together with packages later in the
// alphabet, such as time.
package gotchcache

import "syscall"

// Variable is the environment variable that names gotch's folder.
const Variable = "GOTCH_CACHE"

func init() {
	if _, set := syscall.Getenv(Variable); !set {
		_ = syscall.Setenv(Variable, "/") // where it fails, gotch says what it needs
	}
}
