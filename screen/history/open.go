package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/molecule"
	"pacia/data/note"
	"pacia/data/source"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/screen/ranking"
)

// least is the number of molecules from which on a past assay counts.
const least = 5

// Past holds past assays. Nil has none.
type Past struct {
	files    []*file
	memories []*past.Memory
	absent   map[place]bool // assays that do not count
	itself   []Copy
	near     []Copy
}

// place is that of an assay: its memory, and the number of the assay in it.
type place struct{ memory, assay int }

// file is a file of past assays.
type file struct {
	Read
	hash  string   // of the file and its reading
	apart []string // names of its assays that do not count
	built bool     // its graph store was built
	drawn *Drawn
}

// Molecules are how the molecules of past assays are drawn: as those of the library. The zero value reads the neutral parents of
// salts.
type Molecules struct {
	Drawn  bool // as in the file
	Redraw source.Redraw
	Cache  string // folder of graph stores of past assays; empty: that of the user
	Added  string // the date; empty: it is not kept
	SMILES bool   // keeps the SMILES of Drawn
}

// Read is what was read of a file of past assays.
type Read struct {
	File              string   `json:"file"`
	Assays, Molecules int      `json:"-"`
	Notes             []string `json:"notes"` // the first one counts them
}

// Open reads files of past assays, each perhaps with a colon and how it is read: FILE:COLUMN; CONDITION; --option VALUE, where the
// column names the assays of a long table. It tells the Progress of ctx what it assumes.
func Open(ctx context.Context, files []string, reading table.Options, m Molecules, threads int) (*Past, error) {
	if len(files) == 0 {
		return nil, nil
	}
	p := new(Past)
	for _, text := range files {
		f, memory, err := open(ctx, text, reading, m, threads)
		if err != nil {
			return nil, err
		}
		if again := slices.IndexFunc(p.files, func(of *file) bool { return of.hash == f.hash }); again >= 0 {
			p.files[again].Notes = append(p.files[again].Notes, "is given twice, and counts once")
			continue
		}
		p.files, p.memories = append(p.files, f), append(p.memories, memory)
	}
	if err := p.twice(); err != nil {
		return nil, err
	}
	if names := p.ambiguous(); len(names) > 0 {
		last := p.files[len(p.files)-1]
		last.Notes = append(last.Notes, fmt.Sprintf("%s in several files, and called FILE: NAME: %s",
			are(len(names), "name of an assay is", "names of assays are"), assay.FirstNames(names)))
	}
	for _, f := range p.files {
		note.Tell(ctx, f.File, f.Notes)
	}
	return p, nil
}

// OpenData opens a file as Open does, with its molecules in the form of a featurizer.
func OpenData(
	ctx context.Context, text string, reading table.Options, m Molecules, form molecule.Featurizer, threads int,
) (*data.Dataset, error) {
	path, how := ranking.FileAndReading(text)
	if path == table.Stdin {
		return nil, &badinput.Error{What: "past assays are not read from the standard input", Fix: "write --history FILE"}
	}
	settings, err := ranking.Reading(how, label.Settings{}, false)
	if err != nil {
		return nil, err
	}
	if settings.Below+settings.Above != "" {
		return nil, &badinput.Error{File: path, What: "past assays have no threshold, as the order of their values counts", Fix: "leave it out"}
	}
	molecules := source.RowsParents
	if m.Drawn {
		molecules = source.RowsDrawn
	}
	d, err := source.Open(note.Silent(ctx), path, source.Options{
		Options: reading.ForFile(path), Threads: threads, Featurizer: form, Labels: settings, Every: true,
		Rows: source.Rows{Molecules: molecules, Repeats: source.RowsMerge}, Redraw: m.Redraw, Cache: m.Cache,
	})
	if err != nil {
		return nil, refused(err)
	}
	return d, nil
}

func open(ctx context.Context, text string, reading table.Options, m Molecules, threads int) (_ *file, _ *past.Memory, err error) {
	path, _ := ranking.FileAndReading(text)
	form, drawn := molecule.FingerprintsOnly(), new(Drawn)
	if m.SMILES {
		if form, m.Cache, err = drawn.recording(form); err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(m.Cache)) }()
	}
	d, err := OpenData(ctx, text, reading, m, form, threads)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	counted := each.If(each.Order[int](len(d.Tasks)), func(t int) bool { return enough(&d.Tasks[t]) })
	if len(counted) == 0 {
		return nil, nil, &badinput.Error{File: path, What: fmt.Sprintf("none of %s has %d molecules and two different values", ui.Count(len(d.Tasks), "past assay"), least),
			Fix: "write a table with a column for each assay, or a row for each measurement"}
	}
	prints, ok := molecule.FingerprintsOf(d.Store)
	if !ok {
		return nil, nil, fmt.Errorf("%s: the molecules have no fingerprints", path)
	}
	memory := past.New(filepath.Base(path), m.Added, remembered.Keys(prints), each.Of(counted, func(t int) past.Column { return columnOf(&d.Tasks[t]) }))
	f := &file{Read: Read{File: path, Assays: len(counted), Molecules: memory.Molecules()}, hash: fmt.Sprint(d.Hash, d.TaskNames()), built: d.Stored.Built}
	for t := range d.Tasks {
		if !slices.Contains(counted, t) {
			f.apart = append(f.apart, d.Tasks[t].Name)
		}
	}
	drawn.Memory, f.drawn = memory, drawn
	f.Notes = append([]string{f.summary(d)}, d.Notes...)
	return f, memory, nil
}

// columnOf returns the labels of an assay. Its values, if most molecules have one, count by their ranks.
func columnOf(t *data.Task) past.Column {
	c := past.Column{Name: t.Name, Rows: t.Rows, Labels: each.Of(t.Labels, func(l uint8) past.Label { return past.LabelOf(l > 0) })}
	if ranks := remembered.Ranks(t, past.Parts); ranks != nil {
		c.Valued = true
		for i, rank := range ranks {
			c.Labels[i].Rank = rank
		}
	}
	return c
}

// refused returns the error of a file with the remedy for past assays.
func refused(err error) error {
	var none *assay.NoLabels
	f := (*badinput.Error)(nil)
	if !errors.As(err, &f) {
		return err
	}
	fault := *f
	switch {
	case errors.As(err, &none):
		fault.What = strings.Replace(fault.What, "no column of labels", "no column of labels or measurements", 1)
		fault.Fix = "write a table with a column for each past assay, or a row for each measurement"
	case f.Fix == "check data.path":
		fault.Fix = "check --history"
	}
	return &fault
}

// enough reports whether an assay has enough molecules, and two different labels or values.
func enough(t *data.Task) bool {
	if len(t.Rows) < least {
		return false
	}
	for i := range t.Rows {
		if t.Labels[i] != t.Labels[0] || t.Values != nil && t.Values[i].Value > t.Values[0].Value {
			return true
		}
	}
	return false
}

// summary returns a line such as "214 past assays, 5,312 molecules (12 left out, of fewer than 5 molecules or one value only:
// A, B, C …)".
func (f *file) summary(d *data.Dataset) string {
	text := ui.Count(f.Assays, "past assay") + ", " + ui.Count(f.Molecules, "molecule")
	if n := len(f.apart); n > 0 {
		text += fmt.Sprintf(" (%s left out, of fewer than %d molecules or one value only: %s)", ui.Grouped(n), least, assay.FirstNames(f.apart))
	}
	if n := len(d.Skipped); n > 0 {
		text += fmt.Sprintf("; %s cannot be read, the first in row %d", ui.Count(n, "molecule"), d.Skipped[0].Row)
	}
	return text
}

func are(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return ui.Grouped(n) + " " + several
}
