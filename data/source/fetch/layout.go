package fetch

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pacia/data/table"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// layOutTables writes each table with the molecules in the first column, and without
// the identifiers, which are not labels.
func layOutTables(ctx context.Context, dir string, files []File) ([]string, error) {
	var made []string
	for _, f := range files {
		to := filepath.Join(dir, f.Name)
		if err := rewrite(ctx, source(dir, f.Name), to); err != nil {
			return nil, err
		}
		made = append(made, to)
	}
	return made, nil
}

func rewrite(ctx context.Context, from, to string) error {
	r, err := table.Open(ctx, from, nil, table.Options{Delimiter: "comma"})
	if f := (*badinput.Error)(nil); errors.As(err, &f) {
		f.Fix = "remove the file and fetch it again"
	}
	if err != nil {
		return err
	}
	defer r.Close()
	order := []int{r.SMILES}
	for i, name := range r.Header {
		if name != "smiles" && name != "mol_id" {
			order = append(order, i)
		}
	}
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	w := csv.NewWriter(z)
	row, err := table.Row{Fields: r.Header}, error(nil)
	cells := make([]string, len(order))
	for ; err == nil; row, err = r.Read() {
		if row.Reason != nil {
			return &badinput.Error{File: from, Row: row.Line, What: row.Reason.Error(), Fix: "remove the file and fetch it again"}
		}
		for i, column := range order {
			cells[i] = row.Fields[column]
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	w.Flush()
	if err := errors.Join(w.Error(), z.Close()); err != nil {
		return err
	}
	return place(to, text.Bytes())
}

// layOutTasks unpacks the archive's task files and copies the list of tasks into the
// same folder.
func layOutTasks(ctx context.Context, dir string, files []File) ([]string, error) {
	for _, f := range files {
		var err error
		if strings.HasSuffix(f.Name, ".tar") {
			err = unpack(ctx, source(dir, f.Name), dir)
		} else {
			err = copyFile(ctx, source(dir, f.Name), filepath.Join(dir, f.Name))
		}
		if err != nil {
			return nil, err
		}
	}
	return []string{dir}, nil
}

// FS-Mol has 5,135 task files, of 6 MB at most and 0.5 GB together.
const (
	maxFiles    = 100_000
	maxFile     = 256 << 20
	maxUnpacked = 16 << 30
)

var errTooMuch = fmt.Errorf("it holds more than %d files or %d GiB of them, or one of more than %d MiB", maxFiles, maxUnpacked>>30, maxFile>>20)

// unpack extracts the files train/*.jsonl.gz, valid/… and test/… from an archive, below
// any of its folders, and nothing else.
func unpack(ctx context.Context, archive, dir string) (err error) {
	f, err := input.Open(ctx, archive, input.Regular, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := f.Plain()
	if err != nil {
		return damaged(archive, err)
	}
	unpacked, err := atomicfile.TemporaryFolder(filepath.Join(dir, "unpacked"), 0o777)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unpacked.Remove()) }()
	temporary := unpacked.Path
	var taken []string
	room := int64(maxUnpacked)
	end := &tail{Reader: plain}
	r := tar.NewReader(end)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damaged(archive, err)
		}
		folder, name := path.Base(path.Dir(h.Name)), path.Base(h.Name)
		if h.Typeflag != tar.TypeReg || !slices.Contains([]string{"train", "valid", "test"}, folder) || !strings.HasSuffix(name, ".jsonl.gz") ||
			strings.HasPrefix(name, ".") {
			continue
		}
		if room -= h.Size; h.Size > maxFile || room < 0 || len(taken) >= maxFiles {
			return damaged(archive, errTooMuch)
		}
		if slices.Contains(taken, filepath.Join(folder, name)) {
			return damaged(archive, fmt.Errorf("%s/%s is in it twice", folder, name))
		}
		if err := os.MkdirAll(filepath.Join(temporary, folder), 0o755); err != nil {
			return err
		}
		if err := write(filepath.Join(temporary, folder, name), r); err != nil {
			return damaged(archive, err)
		}
		taken = append(taken, filepath.Join(folder, name))
	}
	if end.last != [len(end.last)]byte{} {
		return damaged(archive, errors.New("its end is missing"))
	}
	if len(taken) == 0 {
		return damaged(archive, errors.New("no task files in it"))
	}
	return move(temporary, dir, taken)
}

func write(path string, content io.Reader) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

func damaged(archive string, err error) error {
	var known *badinput.Error
	if errors.As(err, &known) && known.File == archive {
		err = cmp.Or(known.Err, errors.New(known.What))
	}
	return &badinput.Error{File: archive, What: "damaged archive", Err: err, Fix: "remove it and fetch it again"}
}

func copyFile(ctx context.Context, from, to string) error {
	content, err := input.ReadAll(ctx, from, input.Regular, maxFile)
	if err != nil {
		return err
	}
	return place(to, content)
}
