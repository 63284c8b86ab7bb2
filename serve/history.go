package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/scratch"
	"pacia/screen"
	"pacia/screen/history"
)

// pastBytes is an upper estimate of the memory of a molecule of past assays, in bytes, beside that of its cells.
const pastBytes = 4 << 10

// pastOf returns the function that reads the past assays of a form; nil without any. Saved results need none.
func (s *Server) pastOf(f *form) func(context.Context, history.Molecules) (*history.Past, error) {
	if len(f.files["history"]) == 0 || f.file("results") != nil {
		return nil
	}
	return func(ctx context.Context, m history.Molecules) (*history.Past, error) { return s.readPast(ctx, f, m) }
}

// readPast reads the past assays of a form, from files that exist only meanwhile.
func (s *Server) readPast(ctx context.Context, f *form, m history.Molecules) (_ *history.Past, err error) {
	folder, err := scratch.Folder()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(folder, "past")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m.Cache = filepath.Join(dir, "graphs") // mapped files remain readable
	readings, err := f.pastReadings()
	if err != nil {
		return nil, err
	}
	var texts []string
	for i, file := range f.files["history"] {
		path := filepath.Join(dir, strconv.Itoa(i), fileName(file.name))
		if err := file.copyTo(path); err != nil {
			return nil, err
		}
		if readings[i] != "" {
			path += ":" + readings[i]
		}
		texts = append(texts, path)
	}
	past, err := history.Open(note.Silent(ctx), texts, f.Reading, m, s.options.Threads)
	if fault := (*badinput.Error)(nil); errors.As(err, &fault) { // names the files as they were sent
		plain := *fault
		plain.File = filepath.Base(fault.File)
		err = &plain
	}
	return past, err
}

// pastReadings returns how each file of past assays is read, or "".
func (f *form) pastReadings() ([]string, error) {
	n := len(f.files["history"])
	switch all := f.PastRead; len(all) {
	case 0:
		return make([]string, n), nil
	case 1:
		return slices.Repeat(all, n), nil
	case n:
		return all, nil
	}
	return nil, problem{Status: http.StatusBadRequest, Fix: "send one for all files, or one for each",
		What: fmt.Sprintf("%d history_reading are not for %d files of history", len(f.PastRead), n)}
}

// longestFileName is the maximum length of a file's name, in bytes.
const longestFileName = 200

// fileName returns the name of an upload as that of a file.
func fileName(name string) string {
	name = strings.ToValidUTF8(name[:min(len(name), longestFileName)], "")
	if name == "." || name == ".." {
		return "past"
	}
	return name
}

// copyTo writes the upload to a file in a new folder.
func (s *upload) copyTo(path string) error {
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, s.reader())
	return errors.Join(err, to.Close())
}

// lookAtPast adds to a preview what is read of past assays.
func (s *Server) lookAtPast(ctx context.Context, f *form, p *preview) error {
	need := int64(p.Rows) * (pastBytes + int64(len(p.Columns))*cellBytes)
	return s.memory.during(ctx, need, "send fewer rows or columns", func() error {
		past, err := s.readPast(ctx, f, history.Molecules{})
		if err != nil {
			return err
		}
		assays := len(past.Assays())
		p.Past, p.Findings = &assays, append([]string{}, inFields(screen.FindingsOfPast(past))...)
		return nil
	})
}
