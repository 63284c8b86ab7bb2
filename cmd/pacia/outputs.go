package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"pacia/config"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// An output is a file that a command will write.
type output struct {
	name string // for messages, such as --out or the list of unreadable molecules
	path string
	form form // of a file that may lie there
}

// checkOutputs reports, before any work is done, an output that cannot be written or that would overwrite an input,
// another output, or a file that this program did not write. Every command that writes a file calls it.
func checkOutputs(outputs []output, inputs ...string) error {
	for i, out := range outputs {
		for _, in := range inputs {
			if atomicfile.Same(in, out.path) {
				return out.over(in)
			}
		}
		for _, other := range outputs[:i] {
			if atomicfile.Same(other.path, out.path) {
				return out.over(other.path)
			}
		}
		if err := atomicfile.Check(out.path); err != nil {
			return out.unwritable(err)
		}
		if err := out.form.check(out.path); err != nil {
			return err
		}
	}
	return nil
}

// settingFiles returns the files that settings may name, which are inputs.
func settingFiles(o config.Options) []string {
	files := []string{o.File}
	for _, set := range o.Set {
		if _, value, ok := strings.Cut(set, "="); ok {
			files = append(files, value)
		}
	}
	return files
}

// unwritable names the flag of the output in an error of atomicfile, which names --out.
func (o output) unwritable(err error) error {
	var f *badinput.Error
	if errors.As(err, &f) && strings.HasPrefix(o.name, "--") {
		f.Fix = strings.ReplaceAll(f.Fix, "--out", o.name)
	}
	return err
}

// checkPlain refuses a file extension with which other programs would not read the file as CSV.
func checkPlain(flag, what, out string) error {
	fix := "write a name that ends in .csv"
	switch strings.ToLower(filepath.Ext(out)) {
	case ".gz":
		fix = "leave out .gz"
	case ".xlsx", ".xls", ".ods", ".tsv", ".sdf", ".sd", ".smi":
	default:
		return nil
	}
	return &badinput.Error{What: flag + " " + out + ": " + what + " is written as plain CSV", Fix: fix}
}

func (o output) over(path string) error {
	fix := "write another name"
	if !strings.HasPrefix(o.name, "--") {
		fix = "write another --out"
	}
	return &badinput.Error{What: fmt.Sprintf("%s %s would overwrite %s", o.name, o.path, path), Fix: fix}
}
