package source

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"pacia/data"
	"pacia/data/embedded"
	"pacia/internal/input"
)

// source is the content of a data file.
type source struct {
	path    string // as given by the user
	name    string // without folder and extensions
	content []byte // plain or gzipped
	hash    string // SHA-256 of content
}

// maxSource is the maximum size of a data file in bytes, enough for about ten million molecules.
const maxSource = 1 << 30

// readSource reads the file of a table, gzip-compressed or not.
func readSource(ctx context.Context, path string) (*source, error) {
	content, err := input.ReadAll(ctx, path, input.Stream, maxSource)
	if err != nil {
		f := input.Unreadable(path, err)
		f.Fix = "check data.path"
		return nil, f
	}
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".csv", ".tsv", ".txt", ".smi", ".sdf", ".xlsx"} {
		if len(name) > len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext) {
			name = name[:len(name)-len(ext)]
		}
	}
	return newSource(path, name, content), nil
}

func newSource(path, name string, content []byte) *source {
	return &source{path: path, name: name, content: content, hash: fmt.Sprintf("%x", sha256.Sum256(content))}
}

// openSource reads the file at path, or the embedded data set.
func openSource(ctx context.Context, path string) (*source, error) {
	if path == data.Embedded {
		return newSource(data.Embedded, data.Embedded, embedded.CSV()), nil
	}
	return readSource(ctx, path)
}

// Hash returns the SHA-256 of a file for [Open], in hexadecimal.
func Hash(ctx context.Context, path string) (string, error) {
	src, err := openSource(ctx, path)
	if err != nil {
		return "", err
	}
	return src.hash, nil
}
