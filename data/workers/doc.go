// Package workers divides the reading of molecules over goroutines and reports how far it is.
package workers
