package ranking

import (
	"strings"

	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// before is added to the name of a column of the library that the ranked table needs, as where the library is itself a
// ranked table.
const before = "_before"

// rename renames columns of a file that have the name of a column which the ranked table adds.
func (t *Table) rename(f *tableFile) {
	for ; f.checkedColumns < len(f.Header); f.checkedColumns++ {
		name := f.Header[f.checkedColumns]
		if !t.options.Ranked || f.checkedColumns == f.SMILES || !t.options.reserved(name) {
			continue
		}
		free := name + before
		for table.Column(f.Header, free) >= 0 {
			free += before
		}
		f.Header[f.checkedColumns], f.renamed = free, append(f.renamed, name)
	}
}

// columnOf returns the number of the column with a name, which may be the one before renaming, or −1.
func (t *Table) columnOf(name string) int {
	at := table.Column(t.Header, name)
	if at < 0 && t.options.Ranked && t.options.reserved(name) {
		at = table.Column(t.Header, name+before)
	}
	return at
}

// renamedNotes describes the renamed columns of a file.
func (f *tableFile) renamedNotes() []note.Note {
	if len(f.renamed) == 0 {
		return nil
	}
	text := "columns " + badinput.List(f.renamed) + " get " + before + " at the end of their names, since the ranked table has columns of these names"
	if len(f.renamed) == 1 {
		text = strings.Replace(text, "columns "+badinput.List(f.renamed)+" get "+before+" at the end of their names", "column "+badinput.List(f.renamed)+" gets "+before+" at the end of its name", 1)
		text = strings.Replace(text, "columns of these names", "a column of this name", 1)
	}
	return []note.Note{{Text: text}}
}
