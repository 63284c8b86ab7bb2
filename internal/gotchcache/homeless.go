// Package gotchcache lets programs start where there is no home, or none to write to.
//
// When gotch is initialised it makes a folder for models that it could download, below
// HOME, and ends the program where it cannot. Nothing here downloads any, so gotch is
// told that the folder is one that is always there. This package has to be initialised
// before gotch, and is: Go initialises packages in the order of their import paths as
// soon as all that they import are, and this one imports syscall alone, which os, and by
// it gotch, waits for together with packages later in the alphabet, such as time.
package gotchcache

import "syscall"

// Variable is the environment variable that names gotch's folder.
const Variable = "GOTCH_CACHE"

func init() {
	if _, set := syscall.Getenv(Variable); !set {
		_ = syscall.Setenv(Variable, "/") // where it fails, gotch says what it needs
	}
}
