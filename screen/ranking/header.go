package ranking

import (
	"fmt"
	"slices"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// MostColumns is the maximum number of different columns of all files.
const MostColumns = 8192

// check returns an error for too many columns, and for a new column with the name of one that the ranked table
// adds.
func (t *Table) check() error {
	if len(t.Header) > MostColumns {
		return &badinput.Error{
			File: t.files[len(t.files)-1].Name, What: fmt.Sprintf("the files have more than %d different columns together", MostColumns),
			Fix: "rank them one by one, or leave out columns",
		}
	}
	if !t.options.Ranked {
		return nil
	}
	reserved := each.If(t.Header[t.checked:], t.options.reserved)
	if t.checked = len(t.Header); len(reserved) == 0 {
		return nil
	}
	of := slices.IndexFunc(t.files, func(f *tableFile) bool { return slices.Contains(f.Header, reserved[0]) })
	fault := &badinput.Error{File: t.files[max(0, of)].Name, Row: 1, Column: reserved[0],
		What: "the ranked table gets a column of this name", Fix: "rename it"}
	if more := reserved[1:]; len(more) > 0 {
		fault.What += ", and others called " + badinput.List(more)
		fault.Fix = "rename them"
	}
	return fault
}

// KnowPast reserves the names of the columns of past assays, which models turned out to know.
func (t *Table) KnowPast() error {
	t.options.Past, t.checked = true, 0
	return t.check()
}

// reserved reports whether the ranked table adds a column of this name.
func (o *Options) reserved(name string) bool {
	l := Layout{Nearest: &Support{}, Models: 2, Uncertain: true, Refined: true, Picked: map[int]int{}, Past: o.Past}
	if o.Numbers {
		l.Scale = &label.Scale{Log: true, Unit: "M"}
	}
	return name == selectivity || slices.Contains(l.Names(), name) || slices.Contains(o.Extra, name)
}
