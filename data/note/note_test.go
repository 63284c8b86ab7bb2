package note_test

import (
	"testing"

	"pacia/data/note"
)

func TestNotesName(t *testing.T) {
	many := make([]int, 40)
	for i := range many {
		many[i] = 2 * i
	}
	for _, tt := range []struct {
		note note.Note
		want string
	}{
		{note.Note{Text: "SD file"}, "SD file"},
		{note.Note{Text: "header in row 3", Switch: "--header"}, "header in row 3 (--header)"},
		{note.Note{Text: "no label", Rows: []int{7}}, "no label (row 7)"},
		{note.Note{Text: "no label", Rows: []int{7, 8, 11, 12, 13, 20}, Switch: "--label"}, "no label (rows 7, 8, 11 to 13, 20; --label)"},
		{note.Note{Text: "no label", Rows: many}, "no label (rows 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 28 more)"},
	} {
		if got := tt.note.String(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
