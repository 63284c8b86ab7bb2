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

// claimFolder returns an error for a folder that this package did not make: it has other files and no plan. The plan is the
// first file and the last one, beside the lock.
func claimFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if info, failed := os.Lstat(dir); failed == nil && !info.IsDir() {
		err = errors.New("it is a link") // it would be removed in place of the folder
	}
	if err != nil {
		return &badinput.Error{File: dir, What: "cannot be read", Err: err, Fix: "choose another --out"}
	}
	for _, e := range entries {
		if e.Name() == planFile {
			return nil
		}
	}
	for _, e := range entries {
		if !beforePlan(dir, e) {
			return &badinput.Error{File: dir, What: "holds " + badinput.Quote(e.Name()) + ", and not the parts of a ranking", Fix: "choose another --out, or move the folder away"}
		}
	}
	return nil
}

// beforePlan reports whether an entry of a folder is there without a plan after a kill: the lock and the folder of
// logs, which are empty then, and an unfinished plan.
func beforePlan(dir string, e os.DirEntry) bool {
	switch of, _ := atomicfile.TemporaryOf(e.Name()); {
	case of == planFile:
		return true
	case e.Name() == logsFolder:
		logs, err := os.ReadDir(filepath.Join(dir, logsFolder))
		return err == nil && len(logs) == 0
	case e.Name() == lockFile:
		info, err := e.Info()
		return err == nil && info.Mode().IsRegular() && info.Size() == 0
	}
	return false
}

// RemoveFolder removes the files of parts and their logs, then the plan, and the folder if it is empty then. After a
// kill midway the same command ranks the parts again.
func RemoveFolder(dir string) error {
	plan := func(name string) bool { return name == planFile }
	logs := filepath.Join(dir, logsFolder)
	err := errors.Join(removeOurs(dir, func(name string) bool { return isOurs(name) && !plan(name) }), removeOurs(logs, isOurs))
	if err != nil {
		return err
	}
	_ = os.Remove(logs) // it stays if it has other files
	if err := removeOurs(dir, plan); err != nil {
		return err
	}
	_ = os.Remove(dir)
	return nil
}

// removeOurs removes the files of a folder that are to be removed by their names.
func removeOurs(dir string, which func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if which(e.Name()) && e.Type().IsRegular() {
			if failed := os.Remove(filepath.Join(dir, e.Name())); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
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
