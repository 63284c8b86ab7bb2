package atomicfile

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Write makes fill write a temporary file beside path, brings it to the disk, renames it
// to path, and brings the folder to the disk. On an error path is unchanged. Writers of
// one path do not disturb each other; the last to end wins. Temporary files of a killed
// process are removed by the next Write of that path.
//
// A link stays, and its target is replaced. A device or a pipe also stays, and takes all
// bytes that fill wrote at once. A folder, a disk or a socket is a *badinput.Error;
// [Check] finds it before there is anything to write.
func Write(path string, fill func(*os.File) error) error {
	p, err := find(path)
	if err != nil {
		return err
	}
	if p.through() {
		return p.stream(fill)
	}
	removeLeftovers(p.path)
	f, err := createTemporary(p.path)
	if err != nil {
		return err
	}
	if err := p.replace(f, fill); err != nil {
		return errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	return errors.Join(f.Close(), syncFolder(filepath.Dir(p.path)))
}

// WriteJSON is Write of value as indented JSON.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(text, '\n'))
}

// WriteBytes is Write of content.
func WriteBytes(path string, content []byte) error {
	return Write(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// replace fills f and gives it the target's name. f stays open, and so locked, or
// another process could take it for a leftover just before it is renamed.
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
