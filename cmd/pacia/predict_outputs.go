package main

import (
	"os"
	"path/filepath"
	"strings"

	"pacia/internal/atomicfile"
)

func (p *prediction) outputs() []output {
	var all []output
	if p.page != "" {
		all = append(all, output{"--report", p.page})
	}
	if p.out == stdout {
		return all
	}
	all = append(all, output{"--out", p.out})
	if file := p.invalidFile(); file != "" {
		all = append(all, output{"the list of unreadable molecules,", file})
	}
	return all
}

// stdout is the name of an output that stands for the standard output.
const stdout = "-"

func (p *prediction) writeInvalid(r *ranker) error {
	file := p.invalidFile()
	if file == "" {
		return nil
	}
	return atomicfile.Write(file, func(f *os.File) error { return r.Invalid.CopyTo(f) })
}

// invalidFile names the list of unreadable molecules after the output; "" where that
// is not a file, and none can be beside it.
func (p *prediction) invalidFile() string {
	if p.out == stdout || !atomicfile.IsFile(p.out) {
		return ""
	}
	return strings.TrimSuffix(p.out, filepath.Ext(p.out)) + ".invalid.csv"
}
