package history

import (
	"context"
	"errors"
	"fmt"
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
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
	"pacia/screen/ranking"
)

// least is the number of molecules from which on a past assay counts.
const least = 5

// Past holds past assays. Nil has none.
type Past struct {
	files  []*file
	keys   []uint64 // of the molecules of all past assays, ascending
	itself []Copy
	near   []Copy
}

// file is a file of past assays.
type file struct {
	path   string
	data   *data.Dataset
	assays []int    // tasks that count
	keys   []uint64 // [n] of its molecules
	notes  []string
}

// Molecules are how the molecules of past assays are drawn: as those of the library. The zero value reads the neutral parents of
// salts.
type Molecules struct {
	Drawn  bool // as in the file
	Redraw source.Redraw
	Cache  string // folder of graph stores of past assays; empty: that of the user
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
	past := new(Past)
	for _, text := range files {
		f, err := open(ctx, text, reading, m, threads)
		if err != nil {
			return nil, errors.Join(err, past.Close())
		}
		if again := slices.IndexFunc(past.files, f.same); again >= 0 {
			past.files[again].notes = append(past.files[again].notes, "is given twice, and counts once")
			if err := f.data.Close(); err != nil {
				return nil, errors.Join(err, past.Close())
			}
			continue
		}
		past.files = append(past.files, f)
	}
	past.tellApart()
	past.count()
	for _, f := range past.files {
		note.Tell(ctx, f.path, f.notes)
	}
	return past, nil
}

// same reports whether two files have the same past assays.
func (f *file) same(as *file) bool {
	return f.data.Hash == as.data.Hash && slices.Equal(f.data.TaskNames(), as.data.TaskNames())
}

func open(ctx context.Context, text string, reading table.Options, m Molecules, threads int) (*file, error) {
	path, how := ranking.FileAndReading(text)
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
		Options: reading.ForFile(path), Threads: threads, Featurizer: molecule.FingerprintsOnly(), Labels: settings, Every: true,
		Rows: source.Rows{Molecules: molecules, Repeats: source.RowsMerge}, Redraw: m.Redraw, Cache: m.Cache,
	})
	if err != nil {
		return nil, refused(err)
	}
	f := &file{path: path, data: d, assays: each.If(each.Order[int](len(d.Tasks)), func(t int) bool { return enough(&d.Tasks[t]) })}
	if len(f.assays) == 0 {
		err := &badinput.Error{File: path, What: fmt.Sprintf("none of %s has %d molecules and two different values", ui.Count(len(d.Tasks), "past assay"), least),
			Fix: "write a table with a column for each assay, or a row for each measurement"}
		return nil, errors.Join(err, d.Close())
	}
	prints, ok := molecule.FingerprintsOf(d.Store)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%s: the molecules have no fingerprints", path), d.Close())
	}
	f.keys = KeysOf(prints)
	f.notes = append([]string{f.summary()}, d.Notes...)
	return f, nil
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

// KeysOf returns the keys of molecules [n], by which those of past assays are found again.
func KeysOf(f *molecule.Fingerprints) []uint64 {
	keys := make([]uint64, f.Len())
	for i := range keys {
		bit, count := f.At(i)
		keys[i] = remembered.Key(counts.Vector{Bit: bit, Count: count})
	}
	return keys
}

// summary returns a line such as "214 past assays, 5,312 molecules (12 left out, of fewer than 5 molecules or one value only:
// A, B, C …)".
func (f *file) summary() string {
	text := ui.Count(len(f.assays), "past assay") + ", " + ui.Count(f.molecules(), "molecule")
	var names []string
	for t := range f.data.Tasks {
		if !slices.Contains(f.assays, t) {
			names = append(names, f.data.Tasks[t].Name)
		}
	}
	if len(names) > 0 {
		text += fmt.Sprintf(" (%s left out, of fewer than %d molecules or one value only: %s)", ui.Grouped(len(names)), least, assay.FirstNames(names))
	}
	if n := len(f.data.Skipped); n > 0 {
		text += fmt.Sprintf("; %s cannot be read, the first in row %d", ui.Count(n, "molecule"), f.data.Skipped[0].Row)
	}
	return text
}

// measured returns the keys of the molecules of the assays that count, ascending.
func (f *file) measured() (keys []uint64) {
	has := make([]bool, len(f.keys))
	for _, t := range f.assays {
		for _, row := range f.data.Tasks[t].Rows {
			has[row] = true
		}
	}
	for row, key := range f.keys {
		if has[row] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func (f *file) molecules() int { return len(f.measured()) }

func (p *Past) count() {
	p.keys = nil
	for _, f := range p.files {
		p.keys = append(p.keys, f.measured()...)
	}
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
}

// tellApart calls assays of several files that have one name FILE: NAME.
func (p *Past) tellApart() {
	in := map[string]int{}
	all := func(use func(f *file, name *string)) {
		for _, f := range p.files {
			for _, t := range f.assays {
				use(f, &f.data.Tasks[t].Name)
			}
		}
	}
	all(func(_ *file, name *string) { in[*name]++ })
	var names []string
	all(func(f *file, name *string) {
		if in[*name] > 1 {
			if !slices.Contains(names, *name) {
				names = append(names, *name)
			}
			*name = filepath.Base(f.path) + ": " + *name
		}
	})
	if last := len(p.files) - 1; len(names) > 0 {
		p.files[last].notes = append(p.files[last].notes, fmt.Sprintf("%s in several files, and called FILE: NAME: %s",
			are(len(names), "name of an assay is", "names of assays are"), assay.FirstNames(names)))
	}
}

func are(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return ui.Grouped(n) + " " + several
}

// Close releases the files. Models that recall the past assays remain valid.
func (p *Past) Close() (err error) {
	if p == nil {
		return nil
	}
	for _, f := range p.files {
		err = errors.Join(err, f.data.Close())
	}
	return err
}
