package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Folder is a temporary folder, locked by this process.
type Folder struct {
	Path string
	lock *os.File
}

// TemporaryFolder makes a temporary folder beside path. It removes those of killed processes for this path, whose
// parent has to exist.
func TemporaryFolder(path string, mode fs.FileMode) (*Folder, error) {
	removeLeftovers(path)
	for {
		name := newName(path)
		err := os.Mkdir(name, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process removed it as a leftover before it was locked
		}
		if err != nil {
			return nil, errors.Join(err, syscall.Rmdir(name))
		}
		if !errors.Is(lock(f), syscall.EWOULDBLOCK) && isAt(f, name) {
			made.add(name)
			return &Folder{name, f}, nil
		}
		_ = f.Close() // it is empty
	}
}

// Remove removes the folder with its content.
func (f *Folder) Remove() error {
	err := os.RemoveAll(f.Path)
	made.drop(f.Path)
	return errors.Join(err, f.lock.Close())
}

// NewFolder makes fill write a temporary folder, syncs it to the disk, and renames it to path. Path must not exist
// or be an empty folder, also behind a link; otherwise the error is fs.ErrExist. On an error nothing is left.
func NewFolder(path string, fill func(dir string) error) (err error) {
	path = filepath.Clean(path)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	f, err := TemporaryFolder(path, 0o777)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Remove()) }() // after the renaming, the name leads nowhere
	if err := fill(f.Path); err != nil {
		return err
	}
	if err := unix.Syncfs(int(f.lock.Fd())); err != nil {
		return &fs.PathError{Op: "sync", Path: path, Err: err}
	}
	// Unlike os.Rename, the system call replaces an empty folder, and nothing else.
	if err := syscall.Rename(f.Path, path); err != nil {
		return &os.LinkError{Op: "rename", Old: f.Path, New: path, Err: err}
	}
	return syncFolder(filepath.Dir(path))
}
