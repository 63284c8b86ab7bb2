package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"

	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// Bounds of saved results, in bytes of JSON: of the reasons of a molecule, and of all else but the header.
const (
	largestReasons = 1 << 20
	largestRest    = 2 << 20
)

// mostElements is the maximum length of a list: no ranking has more picks, columns or atoms of a molecule. A list of three
// bytes for each element, {}, would take hundreds.
const mostElements = max(screen.MostPicks, ranking.MostColumns)

var errBeyond = errors.New("beyond the bounds")

// bounds are those of saved results, from the files and fields of the ranking. Every number of the results
// that becomes a size or an index is within them, and so is the length of every list.
type bounds struct {
	library    *ranking.Lines
	header     []string
	support    int // molecules
	assays     int // probabilities of a row; 0: only that of being active
	filters    int
	conditions int // of these
}

func (s *Server) boundsOf(ctx context.Context, f *form, t *ranking.Table, support *ranking.Support) (*bounds, error) {
	lines, err := t.Lines(ctx, s.options.MaxRows)
	if errors.Is(err, ranking.ErrTooMany) {
		return nil, s.tooMany()
	}
	if err != nil {
		return nil, err
	}
	b := &bounds{library: lines, header: t.Header, support: len(support.SMILES), conditions: len(f.Wanted.Where)}
	b.filters = b.conditions + len(f.Wanted.Match) + len(f.Wanted.Exclude)
	if len(f.files["against"]) > 0 {
		b.assays = 1 + len(f.files["against"])
	}
	return b, nil
}

// decode reads the description of saved results into a checked copy. The reasons of each molecule are checked before
// those of the next are read, so that small results cannot become large in memory.
func (b *bounds) decode(ctx context.Context, from io.Reader) (*saved, error) {
	v, check := new(saved), why.NewChecker(ctx)
	reasons, rest := map[int]*why.Reasons{}, map[string]json.RawMessage{}
	room := largestRest + 2*jsonLength(b.header)
	d := json.NewDecoder(from)
	err := members(d, func(name string) error {
		if name == "reasons" {
			return members(d, func(number string) error { return b.reason(d, check, number, reasons) })
		}
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			return err
		}
		if room -= len(name) + len(text); room < 0 || longestList(text) > mostElements {
			return errBeyond
		}
		rest[name] = text
		return nil
	})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(rest)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if v.Reasons = nil; len(reasons) > 0 {
		v.Reasons = reasons
	}
	return v, err
}

// members calls read with the name of each member of a JSON object. read reads the value.
func members(d *json.Decoder, read func(name string) error) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(err, errBeyond)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		text, is := name.(string)
		if !is {
			return errBeyond
		}
		if err := read(text); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// reason reads the reasons of the row with a number.
func (b *bounds) reason(d *json.Decoder, check *why.Checker, number string, all map[int]*why.Reasons) error {
	var text json.RawMessage
	if err := d.Decode(&text); err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= b.library.Rows || len(text) > largestReasons || longestList(text) > mostElements ||
		len(all) == why.MaxExplained || all[n] != nil {
		return errBeyond
	}
	r := new(why.Reasons)
	if err := json.Unmarshal(text, r); err != nil {
		return err
	}
	all[n] = r
	return check.Check(r)
}

// longestList returns the length of the longest list or object in valid JSON.
func longestList(text []byte) (longest int) {
	var lengths []int // of those that are open
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			lengths = append(lengths, 1)
		case c == ']' || c == '}':
			longest = max(longest, lengths[len(lengths)-1])
			lengths = lengths[:len(lengths)-1]
		case c == ',':
			lengths[len(lengths)-1]++
		}
	}
	return longest
}

func jsonLength(v any) int {
	text, _ := json.Marshal(v) // texts
	return len(text)
}

// possible reports whether a description is one of a ranking within the bounds.
func (b *bounds) possible(v *saved) bool {
	k, f := &v.Stored, &v.Facts
	within := func(n, most int) bool { return n >= 0 && n <= most }
	return slices.Equal(k.Header, b.header) && k.Ranked >= 1 && within(k.Ranked, b.library.Rows) && within(k.Unread, b.library.Rows) &&
		within(k.LeftOut, b.library.Rows) && k.Ranked+k.Unread+k.LeftOut == b.library.Rows &&
		k.Within(b.library.Longest) &&
		len(k.Cells) <= b.conditions && len(k.Unmet) <= b.filters && k.Scores.HasRows(k.Ranked) &&
		f.Trust != nil && len(f.Filters) <= b.filters &&
		within(f.Refined, k.Ranked-1) && within(v.Pool, k.Ranked) && picks(v.Picked, k.Ranked) &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(v.Reasons)), func(n int) bool { return n >= k.Ranked })
}

// picks reports whether rows have the places from 1 to their number.
func picks(of map[int]int, rows int) bool {
	met := make([]bool, len(of)+1)
	for number, place := range of {
		if number < 0 || number >= rows || place < 1 || place > len(of) || met[place] {
			return false
		}
		met[place] = true
	}
	return true
}

// A rowChecker checks the rows of saved results one after the other.
type rowChecker struct {
	*bounds
	layout   *ranking.Layout
	rescored int    // number of rows that were scored again; 0: all or none
	met      []bool // by the numbers of rows
	refined  int
	last     float32 // probability
}

// sound reports whether the next row is one of the library and its values are possible in a ranking.
func (c *rowChecker) sound(row ranking.Ranked) bool {
	if row.Number < 0 || row.Number >= len(c.met) || c.met[row.Number] {
		return false
	}
	c.met[row.Number] = true
	if row.Refined {
		c.refined++
	}
	ordered := row.Rank == 1 || row.Probability <= c.last
	c.last = row.Probability
	return c.library.Remove(row.Cells) && ordered && len(row.Each) == c.assays && c.layout.Sound(&row.Score, c.support)
}

// complete reports whether all rows were read.
func (c *rowChecker) complete() bool {
	return !slices.Contains(c.met, false) && (c.rescored == 0 || c.rescored == c.refined)
}
