package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// createTemporary makes a locked temporary file beside path, and registers it.
func createTemporary(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := newName(path)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Before it was locked, another process may have removed it as a leftover.
		if !errors.Is(lock(f), syscall.EWOULDBLOCK) && isAt(f, name) {
			made.add(name)
			return f, nil
		}
		_ = f.Close() // it is empty
	}
}

// Sweep removes temporary files and folders that no process writes from a folder, also those of paths that are not
// written again. One that cannot be removed does no harm.
func Sweep(dir string) { sweep(dir, func(string) bool { return true }) }

// removeLeftovers is Sweep for the temporary files and folders of path.
func removeLeftovers(path string) {
	dir, base := filepath.Split(path)
	sweep(filepath.Clean(dir), func(of string) bool { return of == base })
}

func sweep(dir string, chosen func(of string) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if of, ok := TemporaryOf(e.Name()); ok && chosen(of) {
			removeUnlocked(filepath.Join(dir, e.Name()))
		}
	}
}

// removeUnlocked removes a file or folder of this user that is not locked. It follows no links.
func removeUnlocked(name string) {
	info, err := os.Lstat(name)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
		return
	}
	flags := os.O_RDWR // some network file systems lock only files that are open for writing
	switch {
	case info.IsDir():
		flags = os.O_RDONLY
	case !info.Mode().IsRegular():
		return
	}
	f, err := os.OpenFile(name, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil && isAt(f, name) {
		_ = os.RemoveAll(name)
	}
}

// lock locks f until it is closed. It fails at once if f is locked.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// isAt reports whether name still leads to f.
func isAt(f *os.File, name string) bool {
	a, errA := f.Stat()
	b, errB := os.Lstat(name)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
