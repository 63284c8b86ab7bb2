package shards

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// ours matches the files that this package and Slurm's jobs write to the folder of parts and to
// its logs.
var ours = regexp.MustCompile(`^(plan\.json|job|lock|slurm\.sh|[0-9]+\.(rows|unread\.csv|json|lock|log)|slurm-[0-9]+_[0-9]+\.log)$`)

// isOurs reports whether a file is one of these, or an unfinished one.
func isOurs(name string) bool {
	if of, ok := atomicfile.TemporaryOf(name); ok {
		name = of
	}
	return ours.MatchString(name)
}

const logsFolder = "logs"

// own returns an error for a folder that this package did not make: it has other files and no plan.
func own(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return &badinput.Error{File: dir, What: "cannot be read", Err: err, Fix: "choose another --out"}
	}
	for _, e := range entries {
		if e.Name() == planFile {
			return nil
		}
	}
	for _, e := range entries {
		if !isOurs(e.Name()) && (e.Name() != logsFolder || !e.IsDir()) {
			return &badinput.Error{File: dir, What: "holds " + badinput.Quote(e.Name()) + ", and not the parts of a ranking", Fix: "choose another --out, or move the folder away"}
		}
	}
	return nil
}

// RemoveFolder removes the files of parts, and the folder if it is empty then. The plan is removed after the
// parts and before the logs, so that after a kill midway the same command ranks the parts again.
func RemoveFolder(dir string) error {
	logs := filepath.Join(dir, logsFolder)
	for _, sub := range []string{dir, logs, dir} {
		entries, err := os.ReadDir(sub)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		left := 0
		for _, e := range entries {
			if !isOurs(e.Name()) || !e.Type().IsRegular() {
				left++
				continue
			}
			if err := os.Remove(filepath.Join(sub, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if left == 0 {
			if err := os.Remove(sub); err != nil {
				return err
			}
		}
	}
	return nil
}

// Text returns a file name in a form that JSON preserves: a name that is not valid UTF-8, or that begins with a
// quotation mark, is quoted.
func Text(name string) string {
	if utf8.ValidString(name) && !strings.HasPrefix(name, `"`) {
		return name
	}
	return strconv.QuoteToASCII(name)
}

func name(text string) string {
	if raw, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		return raw
	}
	return text
}
