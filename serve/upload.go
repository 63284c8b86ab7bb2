package serve

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"pacia/internal/atomicfile"
)

// inMemory is the size up to which an upload stays in memory, in bytes.
const inMemory = 1 << 20

// An upload holds one file of a request. A small file is in memory. A larger one is in a temporary
// file without a name, which disappears with the process.
type upload struct {
	name string
	head bytes.Buffer
	file *os.File // nil: head holds the whole file
	size int64
}

// temporary returns a path in the folder of temporary files.
func temporary() string { return filepath.Join(os.TempDir(), "pacia") }

func newUpload(name string, r io.Reader) (*upload, error) {
	s := &upload{name: plainName(name)}
	n, err := io.CopyN(&s.head, r, inMemory)
	if s.size = n; errors.Is(err, io.EOF) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if s.file, err = atomicfile.Nameless(temporary()); err != nil {
		return nil, err
	}
	n, err = io.Copy(s.file, io.MultiReader(&s.head, r))
	if s.size = n; err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *upload) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.head.Bytes())
	}
	return io.NewSectionReader(s.file, 0, s.size)
}

// readerAt returns a reader of any part of the file.
func (s *upload) readerAt() io.ReaderAt {
	if s.file == nil {
		return bytes.NewReader(s.head.Bytes())
	}
	return s.file
}

func (s *upload) close() {
	if s.file != nil {
		_ = s.file.Close() // was only read
	}
	s.head = bytes.Buffer{} // the settings of a form outlive its files
}

// longestName is the number of characters that are kept of a file's name.
const longestName = 80

// plainName returns a file's name for messages: the part after the last slash of the name that
// was sent, without characters that cannot be printed.
func plainName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if r := []rune(name); len(r) > longestName {
		name = string(r[:longestName-1]) + "…"
	}
	return name
}
