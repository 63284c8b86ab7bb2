// Package durable writes files that are whole or not there: what is killed
// half-way leaves the old file, and what has returned survives a power cut.
package durable

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Write makes fill write a temporary file beside path, brings it to the disk,
// renames it to path, and brings the folder to the disk. On an error path is
// what it was before. Writers of one path do not disturb each other; the last
// to end wins. What a process left that was killed meanwhile, the next Write
// of that path removes.
func Write(path string, fill func(*os.File) error) error {
	removeLeftovers(path)
	f, err := createTemporary(path)
	if err != nil {
		return err
	}
	if err := replace(path, f, fill); err != nil {
		return errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	return errors.Join(f.Close(), syncFolder(filepath.Dir(path)))
}

// WriteJSON is Write of value as indented JSON.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return Write(path, func(f *os.File) error {
		_, err := f.Write(append(text, '\n'))
		return err
	})
}

// replace fills f and gives it the name path. f stays open, and so locked, or
// another process could take it for a leftover just before it is renamed.
func replace(path string, f *os.File, fill func(*os.File) error) error {
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// syncFolder makes a rename in dir survive a power cut.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
