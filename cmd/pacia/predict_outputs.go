package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pacia/internal/atomicfile"
)

func (p *prediction) outputs() []output {
	var all []output
	if p.Report != "" {
		all = append(all, output{"--report", p.Report, rankedPage})
	}
	if p.Out == stdout {
		return all
	}
	all = append(all, output{"--out", p.Out, rankedTable})
	if file := p.invalidFile(); file != "" {
		all = append(all, output{"the list of unreadable molecules,", file, unreadList})
	}
	return all
}

// stdout is the name of an output that stands for the standard output.
const stdout = "-"

// mark returns the byte order mark of CSV files, or "".
func (p *prediction) mark() string {
	if p.BOM {
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

// write writes the table, the page and the list of unreadable molecules. All are complete on the disk before one of
// them gets its name. The list of an earlier table is removed before that, so that no table has the list of another.
func (p *prediction) write(c *cobra.Command, r *ranker, page func(io.Writer) error) error {
	if p.Out == stdout {
		if err := p.writeRanked(c.OutOrStdout(), r); err != nil || p.Report == "" {
			return err
		}
		return atomicfile.Write(p.Report, func(f *os.File) error { return page(f) })
	}
	list := p.invalidFile()
	fills := []fill{{p.Out, func(f *os.File) error { return p.writeRanked(f, r) }}}
	if p.Report != "" {
		fills = append(fills, fill{p.Report, func(f *os.File) error { return page(f) }})
	}
	if list == "" {
		return together(fills, nil)
	}
	fills = append(fills, fill{list, func(f *os.File) error { return p.writeInvalid(f, r) }})
	return together(fills, func() error { return removeBehind(list) })
}

// writeAlone writes the list of a library without a readable molecule, unless an earlier table lies beside it.
func (p *prediction) writeAlone(r *ranker) error {
	list := p.invalidFile()
	if _, err := os.Stat(p.Out); list == "" || err == nil {
		return nil
	}
	return atomicfile.Write(list, func(f *os.File) error { return p.writeInvalid(f, r) })
}

func (p *prediction) writeInvalid(f io.Writer, r *ranker) error {
	if _, err := io.WriteString(f, p.mark()); err != nil {
		return err
	}
	return r.Invalid.CopyTo(f)
}

// invalidFile returns the path of the list of unreadable molecules, which is beside the output.
// It is "" if the output is not a file.
func (p *prediction) invalidFile() string {
	if p.Out == stdout || !atomicfile.IsFile(p.Out) {
		return ""
	}
	return strings.TrimSuffix(p.Out, filepath.Ext(p.Out)) + ".invalid.csv"
}
