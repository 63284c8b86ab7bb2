package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// A form is what a file begins with that this program wrote. A file of another form is not replaced: it is somebody
// else's, and its name was mistyped or forgotten.
type form struct {
	what string // such as "a ranked table"
	fits func(head []byte) bool
}

// Forms of the files that commands replace.
var (
	rankedTable  = form{"a ranked table", hasColumns("rank", "probability")}
	unreadList   = form{"a list of unreadable molecules", hasColumns("row", "smiles", "reason")}
	curatedTable = form{"a table of pacia data inspect", hasColumns("row", "smiles", "model_sees", "left_out")}
	modelFile    = form{"a model that pacia exported", contains(`"format":"pacia model"`)}
	rankedPage   = form{"a page of pacia predict", contains("<title>Ranked by ")}
	diagramFile  = form{"a diagram", either(begins("<svg"), begins("<?xml"), begins("\x89PNG"), begins("%PDF-"))}
	episodeFile  = form{"a file of episodes", begins("PK\x03\x04")}
	manPage      = form{"a manual page of pacia", contains(`.TH "PACIA`)}
)

func begins(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(text)) }
}

func contains(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.Contains(head, []byte(text)) }
}

func either(all ...func([]byte) bool) func([]byte) bool {
	return func(head []byte) bool {
		return slices.ContainsFunc(all, func(fits func([]byte) bool) bool { return fits(head) })
	}
}

// hasColumns reports whether a CSV text, which may be compressed, begins with a header that has these columns.
func hasColumns(names ...string) func([]byte) bool {
	return func(head []byte) bool {
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			head, _ = io.ReadAll(io.LimitReader(z, longestHead)) // what follows the head is missing
		}
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(head), "\ufeff")))
		header, err := r.Read()
		return err == nil && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(header, name) })
	}
}

// longestHead is the number of bytes of a file that show its form: a header may have thousands of columns.
const longestHead = 1 << 20

// check returns a *badinput.Error for a file that is not empty and does not have the form.
func (f form) check(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || f.fits == nil {
		return nil //nolint:nilerr // nothing is replaced
	}
	file, err := os.Open(path)
	if err != nil {
		return f.refused(path, err)
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, longestHead))
	if err == nil && f.fits(head) {
		return nil
	}
	return f.refused(path, err)
}

func (f form) refused(path string, err error) error {
	return &badinput.Error{File: path, What: "would be overwritten, and is not " + f.what, Err: err,
		Fix: "write another name, or move the file away"}
}

// equalTo is the form of a file that is replaced only by the same content.
func equalTo(content []byte) form {
	return form{"as this command writes it", func(head []byte) bool { return bytes.Equal(head, content[:min(len(content), longestHead)]) }}
}
