package data

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"pacia/csvfile"
)

// source is a data file as it was found.
type source struct {
	path    string // as the user wrote it
	name    string // without folder and extensions
	content []byte // plain or gzipped
	hash    string // SHA-256 of content
}

// readSource reads a CSV file, gzip-compressed or not.
func readSource(path string) (*source, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		f := csvfile.Unreadable(path, err)
		f.Fix = "check data.path"
		return nil, f
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
