package runconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pacia/data"
	"pacia/internal/badinput"
)

// Location returns the path at which the data set is opened, from any folder: that of the run's beginning where it
// exists, otherwise data.path in this folder. If neither exists, the *badinput.Error names both.
func (d Data) Location() (string, error) {
	if d.AbsolutePath == "" || d.Path == data.Embedded {
		return d.Path, nil
	}
	if here, err := filepath.Abs(d.Path); err == nil && here == d.AbsolutePath {
		return d.Path, nil
	}
	for _, path := range []string{d.AbsolutePath, d.Path} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", &badinput.Error{
		What: fmt.Sprintf("the data set of the run was %s, which does not exist any more, and this folder has no %s",
			d.AbsolutePath, d.Path),
		Fix: "write --set data.path=FILE where it is now",
	}
}

// Located returns d with the absolute path of the data set beside a relative one.
func (d Data) Located() (Data, error) {
	path, err := d.Location()
	if d.AbsolutePath = ""; err != nil || path == data.Embedded || filepath.IsAbs(d.Path) {
		return d, err
	}
	d.AbsolutePath, err = filepath.Abs(path)
	return d, err
}
