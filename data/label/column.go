package label

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

// A Separator is the kind of separator between the cells of the file. It indicates how numbers are
// written.
type Separator uint8

// The separators. A file with semicolons usually has decimal commas.
const (
	OtherSeparator Separator = iota
	Semicolons
	Stored // a workbook: it stores numbers with decimal points
)

// A Column holds the cells of one column, which are read together. Signs, Units and Types come from
// other columns of the table, in the same order.
type Column struct {
	Name      string // in the header, which may name a unit
	Rule      *Rule  // nil: the cells are words
	Separator Separator
	Cells     []string // [n] the cells that are not empty
	Signs     []string // [n] "<", ">" or "=" from a column of signs; nil: signs are in the cells
	Units     []string // [n] from a column of units; nil: no such column
	Types     []string // [n] from a column of types of measurements; nil: no such column
	Unit      string   // in a row below the header; empty: none
	Choices

	positive bool // the values are concentrations without a unit
	usual    unit // of measurements without a unit, by Decide

	CommasBeside func() bool // reports whether another column of the file has decimal commas; nil: not known
}

// Choices are a user's decisions about a column. Those that are empty are inferred from the cells.
type Choices struct {
	Decimal          byte     // '.' or ','
	ValueUnit        string   // of values without a unit
	Type             string   // of the measurements that count, such as IC50
	Active, Inactive []string // words, in addition to the built-in ones
}

// A Reading is the content of a column's cells.
type Reading struct {
	Verdicts []Verdict      // [n]
	Values   []float64      // [n] in the unit of the rule, or of the column; NaN for a cell without a value
	Sides    []int8         // [n] −1 if the value is an upper bound, 1 if it is a lower bound, 0 otherwise
	Why      map[int]string // by position: the reason why a cell is undecided, unread or of another type
	Notes    []note.Note    // their rows are positions in the cells
}

// Read reads the cells. The error is a *badinput.Error without a file: its row is a position in
// the cells, counted from 1, or 0.
func (c *Column) Read() (*Reading, error) {
	r := &Reading{Verdicts: make([]Verdict, len(c.Cells)), Why: map[int]string{}}
	var err error
	if c.Rule == nil {
		err = c.readWords(r)
	} else {
		err = c.counted(r).readMeasurements(r)
	}
	if err != nil {
		return nil, err
	}
	return r, c.readable(r)
}

// readable returns an error if more than a third of the column's cells that are not missing cannot be
// read. In that case the user probably meant another column.
func (c *Column) readable(r *Reading) error {
	first, unread, filled := -1, 0, 0
	for i, v := range r.Verdicts {
		if v == Unread {
			unread++
			if first < 0 {
				first = i
			}
		}
		if v != Missing {
			filled++
		}
	}
	if unread*3 <= filled {
		return nil
	}
	e := c.unreadable(c.Cells[first])
	if c.Rule != nil {
		e.What = r.Why[first]
	}
	if e.Row = first + 1; unread > 1 {
		e.What += fmt.Sprintf(", and %d of %d cells are like it", unread, filled)
	}
	return e
}

func (c *Column) unreadable(cell string) *badinput.Error {
	cell = strings.TrimSpace(cell)
	switch m, ok := parseMeasurement(cell, false); {
	case c.Rule != nil && ok && m.value < 0:
		return &badinput.Error{What: badinput.Quote(cell) + " is not a concentration",
			Fix: "where values are logarithms, write --value-unit log (-log for those such as a pIC50), and a threshold like them without --unit"}
	case c.Rule != nil:
		return &badinput.Error{What: badinput.Quote(cell) + " cannot be read as a measurement",
			Fix: "write a number, perhaps with <, > and a unit such as uM, or leave the cell empty"}
	case IsMeasurement(cell):
		return &badinput.Error{What: fmt.Sprintf("label %s is a measurement", badinput.Quote(cell)),
			Fix: "define what is active with --active-below or --active-above and --unit, or choose another column with --label"}
	}
	return &badinput.Error{What: fmt.Sprintf("label %s is neither active nor inactive", badinput.Quote(cell)),
		Fix: "write " + known + ", leave the cell empty, or name it in --active-words or --inactive-words"}
}

func (c *Column) readWords(r *Reading) error {
	if err := c.checkInverted(); err != nil {
		return err
	}
	if at := c.levels(); at != nil {
		return c.readLevels(r, at)
	}
	seen := map[string]bool{}
	for _, cell := range c.Cells {
		if cell = strings.TrimSpace(cell); len(cell) <= 6 {
			if _, ok := paired(cell); ok {
				seen[plainSign(strings.ToLower(cell))] = true
			}
		}
	}
	untested := map[string][]int{}
	for i, cell := range c.Cells {
		v, ok := c.chosenWord(cell)
		if !ok {
			v, ok = word(cell)
		}
		if !ok {
			v, ok = pairedIn(cell, seen)
		}
		if !ok {
			v, r.Why[i] = Unread, badinput.Quote(strings.TrimSpace(cell))+" is neither active nor inactive"
		}
		if v == Undecided {
			r.Why[i] = badinput.Quote(strings.TrimSpace(cell))
		}
		if text := strings.TrimSpace(cell); v == Missing && text != "" {
			untested[text] = append(untested[text], i)
		}
		r.Verdicts[i] = v
	}
	r.noteUntested(untested)
	return nil
}

// inactives are words in the names of columns in which 1 may mean inactive.
var inactives = []string{"inactive", "inactives", "inactivity", "inaktiv", "inactif", "decoy", "decoys"}

// affirmed are words in names that non, not or no before them makes such words.
var affirmed = []string{
	"active", "actives", "activity", "binder", "binders", "binding", "hit", "hits",
	"inhibitor", "inhibitors", "inhibiting", "inhibition", "blocker", "blockers",
	"responder", "responders", "response", "toxic", "substrate", "agonist", "antagonist",
}

// inverted reports whether 1 may mean inactive in a column with this name. If the name also has the word active, it
// does not.
func inverted(name string) bool {
	words, found := wordsOf(name), false
	for i, w := range words {
		rest, negated := strings.CutPrefix(w, "non")
		switch {
		case slices.Contains(inactives, w), negated && slices.Contains(affirmed, rest):
			found = true
		case !slices.Contains(affirmed, w):
		case i > 0 && (words[i-1] == "non" || words[i-1] == "not" || words[i-1] == "no"):
			found = true
		case w == "active":
			return false
		}
	}
	return found
}

// checkInverted returns an error if a column has a name such as Inactive, so that 1 may mean inactive. The user's
// choices, or a word such as "inactive" in a cell, resolve the ambiguity.
func (c *Column) checkInverted() error {
	if len(c.Active)+len(c.Inactive) > 0 || !inverted(c.Name) {
		return nil
	}
	for _, cell := range c.Cells {
		if v, ok := word(cell); ok && v <= Active && !slices.Contains(plainWords, strings.ToLower(strings.TrimSpace(cell))) {
			return nil // a word such as "inactive" decides
		}
	}
	return &badinput.Error{What: "1 may be active or inactive in a column called " + badinput.Quote(c.Name),
		Fix: "write --active-words 0 --inactive-words 1, or the other way round"}
}

// plainWords are labels that affirm or deny what the column's name states.
var plainWords = []string{"1", "0", "1.0", "0.0", "yes", "no", "y", "n", "true", "false", "t", "f", "+", "-", "x"}

// chosenWord reads a word that the user listed as active or inactive.
func (c *Column) chosenWord(cell string) (Verdict, bool) {
	is := func(word string) bool { return strings.EqualFold(strings.TrimSpace(cell), word) }
	switch {
	case slices.ContainsFunc(c.Active, is):
		return Active, true
	case slices.ContainsFunc(c.Inactive, is):
		return Inactive, true
	}
	return 0, false
}

// pairedIn reads a sign or a letter in a column that contains those in seen. A dash in a column
// without a plus is not a label.
func pairedIn(cell string, seen map[string]bool) (Verdict, bool) {
	cell = strings.TrimSpace(cell)
	v, ok := paired(cell)
	switch {
	case !ok:
		return 0, false
	case opposed(cell, seen):
		return v, true
	case plainSign(cell) == "-" || plainSign(cell) == "(-)":
		return Missing, true
	}
	return 0, false
}

// noteUntested notes which words are interpreted as not tested.
func (r *Reading) noteUntested(untested map[string][]int) {
	r.noteWords(untested, "not tested", "--inactive-words")
}

// noteWords notes how words are interpreted. at maps each word to the positions of its cells.
func (r *Reading) noteWords(at map[string][]int, as, flags string) {
	var rows []int
	var texts []string
	for text, of := range at {
		texts, rows = append(texts, badinput.Quote(text)), append(rows, of...)
	}
	if len(texts) == 0 {
		return
	}
	slices.Sort(texts)
	slices.Sort(rows)
	verb := " are"
	if len(texts) == 1 {
		verb = " is"
	}
	r.Notes = append(r.Notes, note.Note{Text: badinput.List(texts) + verb + " interpreted as " + as, Rows: rows, Switch: flags})
}
