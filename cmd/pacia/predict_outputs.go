package main

import (
	"io"
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

// mark returns the byte order mark of CSV files, or "".
func (p *prediction) mark() string {
	if p.bom {
		return "\ufeff"
	}
	return ""
}

func (p *prediction) writeRanked(w io.Writer, r *ranker) error {
	if _, err := io.WriteString(w, p.mark()); err != nil {
		return err
	}
	return r.Spill.WriteRanked(w, r.Table.Header, r.shownAs, r.ranked)
}

func (p *prediction) writeInvalid(r *ranker) error {
	file := p.invalidFile()
	if file == "" {
		return nil
	}
	return atomicfile.Write(file, func(f *os.File) error {
		if _, err := f.WriteString(p.mark()); err != nil {
			return err
		}
		return r.Invalid.CopyTo(f)
	})
}

// invalidFile returns the path of the list of unreadable molecules, which is beside the output.
// It is "" if the output is not a file.
func (p *prediction) invalidFile() string {
	if p.out == stdout || !atomicfile.IsFile(p.out) {
		return ""
	}
	return strings.TrimSuffix(p.out, filepath.Ext(p.out)) + ".invalid.csv"
}
