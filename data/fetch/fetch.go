package fetch

import (
	"context"
	"crypto/md5" // what publishers give: it tells damage, not malice
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Options say how a set is fetched.
type Options struct {
	Mirror    string                                        // address of a folder with files of the same names; empty: where they are published
	Unchecked bool                                          // keep a file with another checksum than the known one
	Progress  func(file string, done, total int64)          // while it comes; total is 0 where it is not known
	Fetched   func(file string, size int64, check Checksum) // when a file is there
}

// Checksum is what was computed of a file.
type Checksum struct {
	SHA256  string
	Checked bool // with a known one
	Differs bool // from the known one
}

// Fetch gets the set into a folder and lays it out there. It returns the paths
// that data are read from.
func (s *Set) Fetch(ctx context.Context, dir string, opt Options) ([]string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "source"), 0o755); err != nil {
		return nil, err
	}
	for _, f := range s.Files {
		if opt.Mirror != "" {
			f.URL = opt.Mirror + "/" + f.Name
		}
		path := source(dir, f.Name)
		if _, err := os.Stat(path); err != nil {
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

// check compares a file with what is known of it.
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
			err = errors.Join(err, fmt.Errorf("%s: its %s is %s, known is %s; remove it and fetch it again, or keep it with --unchecked",
				path, known.name, known.got, known.want))
		}
	}
	if f.Size > 0 && n != f.Size {
		c.Checked, c.Differs = false, true
		err = errors.Join(err, fmt.Errorf("%s: %d bytes, known are %d; remove it and fetch it again, or keep it with --unchecked", path, n, f.Size))
	}
	return c, err
}
