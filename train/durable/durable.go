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
// what it was before. A process killed meanwhile leaves path + ".tmp", which
// the next Write replaces.
func Write(path string, fill func(*os.File) error) (err error) {
	f, err := os.Create(path + ".tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
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

// syncFolder makes a rename in dir survive a power cut.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
