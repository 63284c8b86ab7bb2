package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// place writes a file of a set, unless it is there with the same content. With another content it is somebody else's.
func place(path string, content []byte) error {
	there, err := holds(path, content)
	if err != nil || there {
		return err
	}
	return atomicfile.WriteBytes(path, content)
}

// holds reports whether a file is there. With another content, unpacked, it is a *badinput.Error.
func holds(path string, content []byte) (bool, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	now, err := input.ReadAll(context.Background(), path, input.Regular, maxFile)
	if err == nil && bytes.Equal(inflated(now), inflated(content)) {
		return true, nil
	}
	return true, &badinput.Error{File: path, What: "would be overwritten, and is not as pacia data fetch lays it out",
		Fix: "move it away, or choose another --dir"}
}

// inflated returns a text that may be compressed.
func inflated(content []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content
	}
	text, err := io.ReadAll(io.LimitReader(z, maxFile))
	if err != nil {
		return content
	}
	return text
}

// move moves files from one folder to another one by one, so that other files there are kept. It moves none if it
// would replace one that has another content.
func move(from, to string, names []string) error {
	var missing []string
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		there, err := holds(filepath.Join(to, name), content)
		if err != nil {
			return err
		}
		if !there {
			missing = append(missing, name)
		}
	}
	if err := sync(from); err != nil {
		return err
	}
	for _, name := range missing {
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, name), path); err != nil {
			return err
		}
	}
	return nil
}

// sync writes the disk of a folder: its files are renamed after that.
func sync(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}

// A tail holds the last bytes that were read. An archive ends with blocks of zeros; one without them was cut.
type tail struct {
	io.Reader
	last [512]byte
}

func (t *tail) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	if n >= len(t.last) {
		copy(t.last[:], b[n-len(t.last):n])
	} else {
		copy(t.last[:], t.last[n:])
		copy(t.last[len(t.last)-n:], b[:n])
	}
	return n, err
}
