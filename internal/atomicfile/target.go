package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"

	"pacia/internal/badinput"
)

// A target is the file to which a path leads.
type target struct {
	path string      // the path after its links are followed
	info fs.FileInfo // nil if the file does not exist
	fd   int         // descriptor of an open file, for a path such as /dev/stdout; otherwise −1
}

// maxLinks is the largest number of links to follow, as in Linux.
const maxLinks = 40

// descriptor matches the path of an open file of this process.
var descriptor = regexp.MustCompile(`^/(?:dev|proc/self)/fd/([0-9]{1,4})$`)

// find follows the links of path to the target.
func find(path string) (target, error) {
	p := target{path: path, fd: -1}
	for range maxLinks {
		if m := descriptor.FindStringSubmatch(p.path); m != nil {
			p.fd, _ = strconv.Atoi(m[1]) // digits
			return p, nil
		}
		info, err := os.Lstat(p.path)
		if errors.Is(err, fs.ErrNotExist) {
			return p, nil
		}
		if err != nil {
			return p, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			p.info = info
			return p, p.refuse()
		}
		if p.path, err = follow(p.path); err != nil {
			return p, err
		}
	}
	return p, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

func follow(link string) (string, error) {
	to, err := os.Readlink(link)
	if err != nil || filepath.IsAbs(to) {
		return to, err
	}
	// The folder of the link may also be a link, from which .. leads elsewhere.
	dir, err := filepath.EvalSymlinks(filepath.Dir(link))
	return filepath.Join(dir, to), err
}

// refuse returns an error for a folder, a socket or a disk.
func (p target) refuse() error {
	switch mode := p.info.Mode(); {
	case mode.IsDir():
		return &badinput.Error{File: p.path, What: "is a folder", Fix: "write the name of a file"}
	case mode&fs.ModeSocket != 0:
		return &badinput.Error{File: p.path, What: "is a socket", Fix: "write the name of a file"}
	case mode&fs.ModeDevice != 0 && mode&fs.ModeCharDevice == 0:
		return &badinput.Error{File: p.path, What: "is a disk", Fix: "write the name of a file"}
	}
	return nil
}

// through reports whether content is written to the target without replacing it: a
// terminal, a pipe, /dev/null or an open file.
func (p target) through() bool {
	return p.fd >= 0 || p.info != nil && !p.info.Mode().IsRegular()
}

// Nameless makes an empty file without a name on the disk to which Write(path) writes. The
// file disappears when the process ends, in any way. The error is a *badinput.Error.
func Nameless(path string) (*os.File, error) {
	p, err := find(path)
	if err != nil {
		return nil, wrong(path, err)
	}
	return p.nameless()
}

func (p target) nameless() (*os.File, error) {
	path := p.path
	if p.through() {
		path = filepath.Join(os.TempDir(), "pacia")
	}
	removeLeftovers(path) // where a disk is full, the file cannot be removed either
	f, err := createTemporary(path, 0o600)
	if err != nil {
		return nil, &badinput.Error{File: filepath.Dir(path), What: "cannot write into the folder", Err: cause(err), Fix: "choose another --out"}
	}
	defer made.drop(f.Name())
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// IsFile reports whether Write(path) makes or replaces a file, so that other files can be
// written beside it. It is false for a device or a pipe.
func IsFile(path string) bool {
	p, err := find(path)
	return err == nil && !p.through()
}

// stream makes fill write a nameless file and copies that to the target: fill may need to
// seek.
func (p target) stream(fill func(*os.File) error) error {
	f, err := p.nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := fill(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := p.open()
	if err != nil {
		return err
	}
	_, err = io.Copy(to, f)
	return errors.Join(err, to.Close())
}

func (p target) open() (*os.File, error) {
	if p.fd < 0 {
		return os.OpenFile(p.path, os.O_WRONLY|syscall.O_NOCTTY, 0)
	}
	// A file that is opened anew would be written from its start.
	fd, err := syscall.Dup(p.fd)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: p.path, Err: err}
	}
	return os.NewFile(uintptr(fd), p.path), nil
}

// keepMode gives f the permissions of the file that it replaces.
func (p target) keepMode(f *os.File) error {
	if p.info == nil {
		return nil
	}
	if err := f.Chmod(p.info.Mode().Perm()); err != nil {
		return fmt.Errorf("keeping the permissions of %s: %w", p.path, err)
	}
	return nil
}
