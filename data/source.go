package data

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pacia/fault"
)

// source is a data file as it was found.
type source struct {
	path    string // as the user wrote it
	name    string // without folder and extensions
	content []byte
	hash    string // SHA-256 of content
}

// readSource reads a CSV file, gzip-compressed or not.
func readSource(path string) (*source, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".csv"} {
		if len(name) > len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext) {
			name = name[:len(name)-len(ext)]
		}
	}
	return newSource(path, name, content), nil
}

func newSource(path, name string, content []byte) *source {
	sum := sha256.Sum256(content)
	return &source{path: path, name: name, content: content, hash: hex.EncodeToString(sum[:])}
}

// text returns the decompressed content. Compression is told by the content,
// not the name.
func (s *source) text() (io.Reader, error) {
	if !bytes.HasPrefix(s.content, []byte{0x1f, 0x8b}) {
		return bytes.NewReader(s.content), nil
	}
	r, err := gzip.NewReader(bytes.NewReader(s.content))
	if err != nil {
		return nil, damaged(s.path, err)
	}
	return r, nil
}

func damaged(path string, err error) error {
	return &fault.Error{File: path, What: "damaged gzip file", Err: err, Fix: "fetch it again"}
}

// unreadable explains why a file the user named cannot be read.
func unreadable(path string, err error) error {
	f := &fault.Error{File: path, What: "cannot be read", Err: err, Fix: "check data.path"}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		f.Err = pe.Err // the path is named already
	}
	return f
}
