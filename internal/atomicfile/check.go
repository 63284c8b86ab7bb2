package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pacia/internal/badinput"
)

// Check returns a *badinput.Error if Write could not write path. Callers use it before
// they compute the content.
func Check(path string) error {
	p, err := find(path)
	if err != nil || p.through() {
		return wrong(path, err)
	}
	if p.info != nil {
		if err := syscall.Access(p.path, writable); err != nil {
			return wrong(path, err)
		}
	}
	return intoFolder(filepath.Dir(p.path))
}

// CheckFolder is Check for a folder of several files. The folder and its parents may be missing.
func CheckFolder(dir string) error {
	err := intoFolder(filepath.Clean(dir))
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		return CheckFolder(filepath.Dir(dir))
	}
	return err
}

// intoFolder returns an error if files cannot be created in a folder.
func intoFolder(dir string) error {
	switch info, err := os.Stat(dir); {
	case err != nil:
		return &badinput.Error{File: dir, What: "cannot write into the folder", Err: cause(err), Fix: "choose another --out"}
	case !info.IsDir():
		return &badinput.Error{File: dir, What: "is not a folder", Fix: "choose another --out"}
	}
	if err := syscall.Access(dir, writable|searchable); err != nil {
		return &badinput.Error{File: dir, What: "cannot write into the folder", Err: err, Fix: "choose another --out"}
	}
	return nil
}

// Modes of access(2).
const (
	searchable = 1
	writable   = 2
)

func wrong(path string, err error) error {
	if err == nil || badinput.Is(err) {
		return err
	}
	return &badinput.Error{File: path, What: "cannot be written", Err: cause(err), Fix: "choose another --out"}
}

// cause returns the system's error without the path.
func cause(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return system.Err
	}
	return err
}

// Same reports whether two paths lead to one file, so that writing one would overwrite the
// other. It is false for devices and pipes, which can be read and written at the same time.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	if !errors.Is(errX, fs.ErrNotExist) || !errors.Is(errY, fs.ErrNotExist) {
		return false
	}
	return end(a) == end(b)
}

// end returns the absolute path, without links, of a file that does not exist yet.
func end(path string) string {
	if p, err := find(path); err == nil {
		path = p.path
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	return path
}
