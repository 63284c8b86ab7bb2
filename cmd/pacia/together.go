package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pacia/internal/atomicfile"
)

// A fill is the content of a file.
type fill struct {
	path string
	put  func(*os.File) error
}

// together writes several files. They are filled in their order, and renamed in their order when all are on the disk.
// Before that it calls ready, if there is one.
func together(fills []fill, ready func() error) error {
	return open(fills, nil, func(files []*os.File) error {
		for i, f := range files {
			if err := errors.Join(fills[i].put(f), f.Sync()); err != nil {
				return err
			}
		}
		if ready == nil {
			return nil
		}
		return ready()
	})
}

// open makes the temporary files of fills, the last one first, and then calls do with all of them.
func open(fills []fill, files []*os.File, do func([]*os.File) error) error {
	if len(fills) == 0 {
		return do(files)
	}
	last := len(fills) - 1
	return atomicfile.Write(fills[last].path, func(f *os.File) error {
		return open(fills[:last], append([]*os.File{f}, files...), do)
	})
}

// removeBehind removes a file, or the one to which a link leads. The link stays.
func removeBehind(path string) error {
	to, err := filepath.EvalSymlinks(path)
	if err == nil {
		err = os.Remove(to)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
