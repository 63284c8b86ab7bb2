package fetch

import (
	"context"
	"crypto/md5" // publishers give it; it detects damage, but not manipulation
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Options are the options of Fetch.
type Options struct {
	Mirror    string                                        // address of a folder with files of the same names; empty: the publisher's
	Unchecked bool                                          // keep a file whose checksum or size is not the known one
	Progress  func(file string, done, total int64)          // called during a transfer, in bytes; total is 0 if it is not known
	Fetched   func(file string, size int64, check Checksum) // called when a file is complete
}

// Checksum is the result of checking a file.
type Checksum struct {
	SHA256  string
	Checked bool // the file agrees with a known checksum
	Differs bool // the file differs from a known checksum or size
}

// Fetch downloads the set into a folder and converts it there. It returns the paths
// to open as data sets.
func (s *Set) Fetch(ctx context.Context, dir string, opt Options) ([]string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "source"), 0o755); err != nil {
		return nil, err
	}
	for _, f := range s.Files {
		if opt.Mirror != "" {
			f.URL = opt.Mirror + "/" + f.Name
		}
		path := source(dir, f.Name)
		if _, err := os.Lstat(path); err != nil {
			t := &transfer{file: f, path: path, progress: func(done, total int64) { opt.Progress(f.Name, done, total) }}
			if err := t.run(ctx); err != nil {
				return nil, err
			}
		}
		sum, err := f.check(path)
		if err != nil && !opt.Unchecked {
			return nil, err
		}
		opt.Fetched(f.Name, size(path), sum)
	}
	return s.layOut(ctx, dir, s.Files)
}

// check compares a file with its known checksums and size.
func (f *File) check(path string) (Checksum, error) {
	r, err := os.Open(path)
	if err != nil {
		return Checksum{}, err
	}
	defer r.Close()
	sha, sum := sha256.New(), md5.New()
	n, err := io.Copy(io.MultiWriter(sha, sum), r)
	if err != nil {
		return Checksum{}, err
	}
	c := Checksum{SHA256: fmt.Sprintf("%x", sha.Sum(nil)), Checked: f.MD5 != "" || f.SHA256 != ""}
	for _, known := range []struct{ name, want, got string }{
		{"SHA-256", f.SHA256, c.SHA256}, {"MD5", f.MD5, fmt.Sprintf("%x", sum.Sum(nil))},
	} {
		if known.want != "" && known.got != known.want {
			c.Checked, c.Differs = false, true
			err = errors.Join(err, fmt.Errorf("%s: its %s is %s, expected %s; remove it and fetch it again, or keep it with --unchecked",
				path, known.name, known.got, known.want))
		}
	}
	if f.Size > 0 && n != f.Size {
		c.Checked, c.Differs = false, true
		err = errors.Join(err, fmt.Errorf("%s: %d bytes, expected %d; remove it and fetch it again, or keep it with --unchecked", path, n, f.Size))
	}
	return c, err
}
