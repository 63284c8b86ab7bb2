package loop

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// MakeFolder makes the folder of a run, if it does not exist.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &badinput.Error{What: "--out " + dir + " cannot be made", Err: err, Fix: "choose another folder"}
	}
	return nil
}

// Held returns the first of these files that a folder holds, or "".
func Held(dir string, names ...string) string {
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return name
		}
	}
	return ""
}

// Lock locks the folder dir by one of its files, or by itself, until f is closed. It removes temporary files that
// earlier processes left there, whose names may have a time and so never come again.
func Lock(f *os.File, dir string) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return &badinput.Error{File: dir, What: "another process is training into this folder", Fix: "wait for it to end, or choose another --out"}
	}
	if err == nil {
		atomicfile.Sweep(dir)
	}
	return err
}
