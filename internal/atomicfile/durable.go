package atomicfile

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Write makes fill write a temporary file beside path, syncs it to the disk, renames it
// to path, and syncs the folder. On an error path is unchanged. Writers of one path do
// not disturb each other; the last to end wins. The next Write of path removes temporary
// files of killed processes.
//
// A link stays, and its target is replaced. A device or a pipe also stays, and gets the
// content after fill has returned. A folder, a disk or a socket is a *badinput.Error,
// which [Check] also returns.
func Write(path string, fill func(*os.File) error) error {
	p, err := find(path)
	if err != nil {
		return err
	}
	if p.through() {
		return p.stream(fill)
	}
	removeLeftovers(p.path)
	f, err := createTemporary(p.path, 0o666) // the permissions of any new file
	if err != nil {
		return err
	}
	defer made.drop(f.Name())
	if err := p.replace(f, fill); err != nil {
		return errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	return errors.Join(f.Close(), syncFolder(filepath.Dir(p.path)))
}

// WriteJSON writes value as indented JSON.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(text, '\n'))
}

// WriteBytes writes content.
func WriteBytes(path string, content []byte) error {
	return Write(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// replace fills f and renames it to the target. It keeps f open and so locked, or another
// process could remove it as a leftover before it is renamed.
func (p target) replace(f *os.File, fill func(*os.File) error) error {
	if err := fill(f); err != nil {
		return err
	}
	if err := p.keepMode(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), p.path)
}

// syncFolder makes a rename in dir survive a power cut.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
