package main

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// A labelled is a file of labelled molecules beside the support file, with the assay in it.
type labelled struct {
	flag      string // that names it
	file      string
	assayName string // the assay, as it was written after the file and a colon; empty: as in the support file
	column    string // of own
	tasks     label.Tasks
}

// parseAssays parses --rows, --against and --outcome.
func (p *prediction) parseAssays() (err error) {
	for _, text := range p.Against {
		p.unwanted = append(p.unwanted, &labelled{flag: "--against"})
		of := p.unwanted[len(p.unwanted)-1]
		of.file, of.assayName = ranking.FileAndReading(text)
	}
	if p.Outcome != "" {
		p.known = &labelled{flag: "--outcome"}
		p.known.file, p.known.assayName = ranking.FileAndReading(p.Outcome)
	}
	var support []string
	rows := map[*labelled][]string{}
	for _, text := range p.Rows {
		taken := false
		for _, of := range p.otherAssays() {
			if condition, found := forFile(text, of.file); found {
				rows[of], taken = append(rows[of], condition), true
			}
		}
		own := false
		for _, file := range p.Support {
			if condition, found := forFile(text, file); found && !own {
				support, own = append(support, condition), true
			}
		}
		if !own && !taken {
			support = append(support, text)
		}
	}
	p.Labels.Rows = strings.Join(support, "\n")
	if p.tasks, err = p.Labels.Parse(); err != nil {
		return err
	}
	for _, of := range p.otherAssays() {
		var s label.Settings
		if s, of.column, err = p.Assay(of.assayName, slices.Contains(p.Support, of.file)); err != nil {
			return err
		}
		s.Rows += strings.Join(rows[of], "\n")
		if of.tasks, err = s.Parse(); err != nil {
			return err
		}
	}
	return nil
}

// otherAssays returns the files of labelled molecules beside the support file.
func (p *prediction) otherAssays() []*labelled {
	all := p.unwanted
	if p.known != nil {
		all = append(all[:len(all):len(all)], p.known)
	}
	return all
}

// forFile returns the rest of a text that begins with a file's name, or the last part of it, and a colon.
func forFile(text, file string) (rest string, found bool) {
	for _, name := range []string{file, filepath.Base(file)} {
		if rest, found := strings.CutPrefix(text, name+":"); found && name != "" {
			return rest, true
		}
	}
	return "", false
}

// pastFile returns the file of a text of --history.
func pastFile(text string) string {
	file, _ := ranking.FileAndReading(text)
	return file
}

// names returns the names of the unwanted assays.
func (p *prediction) names() ([]string, error) {
	var files []string
	for _, of := range p.unwanted {
		files = append(files, screen.AssayName(of.file, of.column))
	}
	return screen.AgainstNames(files)
}

// readLabelled reads a file of labelled molecules beside the support file s.
func (p *prediction) readLabelled(c *cobra.Command, of *labelled, s *ranking.Support) (*ranking.Support, error) {
	o := p.SupportOptions(slices.Contains(p.Support, of.file))
	o.Stdin, o.Named = c.InOrStdin(), true
	read, err := ranking.ReadSupport(c.Context(), of.file, o, of.tasks)
	if err != nil {
		return nil, of.offer(err)
	}
	if s.SameAssay(read) {
		return nil, &badinput.Error{File: of.file, Column: read.Column, What: "is the assay of --support itself",
			Fix: "write the column and the threshold of another assay, such as " + of.flag + " " +
				badinput.Quote(of.file+":"+otherColumn(read)+" < 10 uM")}
	}
	if read.Rule != nil && read.Column != s.Column && s.Rule != nil && read.Rule.String() == s.Rule.String() {
		read.Notes = append(read.Notes, note.Note{Text: "the threshold of --support decides what is active in another column", Warning: true,
			Switch: of.flag + " " + badinput.Quote(of.file+":"+read.Column+" < 10 uM")})
	}
	return read, nil
}

// otherColumn returns the name of a column with other measurements.
func otherColumn(s *ranking.Support) string {
	for _, name := range s.Header {
		if name != s.Column && label.MeasurementName(name) {
			return name
		}
	}
	return "COLUMN"
}

// offer adds how to name an assay of its own to the error of a file.
func (of *labelled) offer(err error) error {
	f := (*badinput.Error)(nil)
	if !errors.As(err, &f) {
		return err
	}
	var none *assay.NoColumn
	own := ""
	switch {
	case errors.As(err, &none):
		own = cmp.Or(none.Likely, "COLUMN")
		if none.Measured || none.Likely == "" {
			own += " < 10 uM"
		}
	case strings.Contains(f.Fix, "--label"), strings.Contains(f.Fix, "--active-below"):
		own = "COLUMN < 10 uM"
	default:
		return err
	}
	fault := *f
	fault.Fix = "an assay of its own is written as " + of.flag + " " + badinput.Quote(of.file+":"+own)
	return &fault
}
