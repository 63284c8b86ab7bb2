// Package gotchcache lets programs start without a home folder that can be written to.
//
// When gotch is initialised, it makes a folder below HOME for models that it could
// download, and ends the program if it fails. This program does not download models, so
// this package sets gotch's folder to one that always exists. It must be initialised
// before gotch. Go initialises packages in the order of their import paths as soon as all
// their imports are initialised. This package imports only syscall. Package os, and so
// gotch, also depends on packages later in the alphabet, such as time.
package gotchcache

import "syscall"

// Variable is the environment variable for gotch's folder.
const Variable = "GOTCH_CACHE"

func init() {
	if _, set := syscall.Getenv(Variable); !set {
		_ = syscall.Setenv(Variable, "/") // if it fails, gotch reports the missing folder
	}
}
