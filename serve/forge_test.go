package serve_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/screen/ranking"
)

// A forger changes saved results as chance has it, and makes all checksums right.
type forger struct {
	chance             func(n int) int // a number below n
	about              any             // the description, as package json reads it
	kept               map[string]any  // a part of it
	rows, unread       []byte
	numbers            int  // of a row
	rowsSum, unreadSum bool // to be made right
}

// parts are the entries of saved results.
type parts struct{ about, rows, unread []byte }

func partsOf(t testing.TB, results []byte) parts {
	return parts{entryOf(t, results, "ranking.json"), entryOf(t, results, "rows"), entryOf(t, results, "unread.csv")}
}

// forged returns a forgery of saved results.
func (p parts) forged(t testing.TB, chance func(n int) int) []byte {
	t.Helper()
	f := forger{chance: chance, rows: slices.Clone(p.rows), unread: slices.Clone(p.unread),
		numbers: len(numbersOf(t, p.about))}
	d := json.NewDecoder(bytes.NewReader(p.about))
	d.UseNumber()
	if err := d.Decode(&f.about); err != nil {
		t.Fatal(err)
	}
	f.kept = f.about.(map[string]any)["kept"].(map[string]any)
	for range 1 + chance(2) {
		switch chance(8) {
		case 0, 1:
			f.changeRows()
		case 2:
			f.changeUnread()
		default:
			f.change(f.about, nil)
		}
	}
	f.seal()
	about, err := json.Marshal(f.about)
	if err != nil {
		t.Fatal(err)
	}
	return archive(t, parts{about, f.rows, f.unread})
}

// archive packs saved results.
func archive(t testing.TB, p parts) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string][]byte{"ranking.json": p.about, "rows": p.rows, "unread.csv": p.unread} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// seal makes the length and the checksums of what was changed right, as long as the description has a place for them.
func (f *forger) seal() {
	sum := func(text []byte) json.Number {
		return json.Number(strconv.FormatUint(uint64(crc32.Checksum(text, ranking.Castagnoli)), 10))
	}
	if f.rowsSum {
		f.kept["bytes"], f.kept["crc32c"] = json.Number(strconv.Itoa(len(f.rows))), sum(f.rows)
	}
	if f.unreadSum {
		f.kept["unread_crc32c"] = sum(f.unread)
	}
}

// change descends to a value of the description at a random place and replaces it by set; the description itself stays.
func (f *forger) change(v any, set func(any)) {
	var inner any
	switch all := v.(type) {
	case map[string]any:
		if len(all) > 0 {
			names := slices.Sorted(maps.Keys(all))
			name := names[f.chance(len(names))]
			inner = all[name]
			if f.chance(6) > 0 || set == nil {
				f.change(inner, func(to any) { all[name] = to })
				return
			}
		}
	case []any:
		if len(all) > 0 && f.chance(3) > 0 {
			i := f.chance(len(all))
			f.change(all[i], func(to any) { all[i] = to })
			return
		}
	}
	if set != nil {
		set(f.other(v))
	}
}

// numbers are what becomes a size, an index or a share, and what does not.
var numbers = []string{"-1", "0", "1", "2", "19", "20", "79", "80", "1000", "65536", "2147483647", "4294967296", "2000000000000",
	"9223372036854775807", "1e300", "-1e300", "0.5", "1e-320", "-9223372036854775808"}

// texts are molecules and what is none.
var texts = []string{"", "C", "CCO", "c1ccccc1", "%", "\x00", "C(C", "[*:1]", "=1+1", "<b>",
	strings.Repeat("C", 1000), strings.Repeat("C", 100_000)}

// other returns a value in place of v.
func (f *forger) other(v any) any {
	number := json.Number(numbers[f.chance(len(numbers))])
	if list, is := v.([]any); is {
		return f.list(list)
	}
	switch f.chance(10) {
	case 0:
		return nil
	case 1:
		return map[string]any{}
	case 2:
		return texts[f.chance(len(texts))]
	case 3:
		return []any{}
	case 4:
		return f.chance(2) == 1
	}
	switch v.(type) {
	case string:
		return texts[f.chance(len(texts))]
	case map[string]any:
		return map[string]any{texts[f.chance(len(texts))]: number}
	}
	return number
}

// list returns a list in place of another one: longer, shorter, or with other elements.
func (f *forger) list(v []any) any {
	many := []int{1, 100, 10_000, 300_000}[f.chance(4)]
	switch f.chance(8) {
	case 0:
		return []any{}
	case 1:
		return v[:f.chance(len(v)+1)]
	case 2:
		return slices.Repeat([]any{nil}, many)
	case 3:
		return slices.Repeat([]any{map[string]any{}}, many)
	case 4:
		return slices.Repeat([]any{""}, many)
	case 5:
		return slices.Repeat([]any{[]any{}}, many)
	case 6:
		return slices.Repeat([]any{json.Number(numbers[f.chance(len(numbers))])}, many)
	}
	if len(v) > 0 {
		return append(slices.Clone(v), v[f.chance(len(v))])
	}
	return []any{json.Number("0")}
}

// words are values of the numbers of a row.
var words = []uint32{0, 1, 79, 80, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000, 0x3f000000, 0x3f800000, 0xbf800000, 65536}

// changeRows changes a word of a row, or rows as a whole.
func (f *forger) changeRows() {
	f.rowsSum = true
	all := f.each()
	if len(all) == 0 {
		return
	}
	i := f.chance(len(all))
	row := slices.Clone(all[i])
	word := func(at int) { binary.LittleEndian.PutUint32(row[at:], words[f.chance(len(words))]) }
	text := func(cells []byte) { // in place of the molecule and the cells of the row
		row = slices.Concat(row[:min(len(row), rowHead+4*f.numbers)], cells)
		binary.LittleEndian.PutUint32(row[8:], uint32(len(row)-rowHead))
	}
	cells := func(all ...string) []byte { return slices.Concat([]byte{0}, ranking.CellsFrom(all)) } // without a molecule
	switch f.chance(9) {
	case 0, 1: // of the head
		word(4 * f.chance(rowHead/4))
	case 2, 3: // of the other numbers
		if at := rowHead + 4*f.chance(f.numbers); at+4 <= len(row) {
			word(at)
		}
	case 4:
		row[len(row)-1-f.chance(min(len(row), 60))] ^= byte(1 << f.chance(8))
	case 5:
		text([][]byte{nil, {0}, cells(""), cells("", ""), cells("C(C"), bytes.Repeat([]byte{0}, 1<<20), cells(strings.Repeat("C", 1<<20)),
			cells("c1ccccc1", "a", "b", "c"), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
			append([]byte{1, 'C'}, cells("C")...)}[f.chance(10)])
	case 6: // twice, in place of another one
		all[f.chance(len(all))] = row
	case 7:
		all = slices.Delete(all, i, i+1)
		f.rows = slices.Concat(all...)
		return
	case 8:
		all[f.chance(len(all))], row = row, all[f.chance(len(all))]
	}
	all[i] = row
	f.rows = slices.Concat(all...)
}

// each returns the rows.
func (f *forger) each() (all [][]byte) {
	for rest := f.rows; len(rest) >= rowHead; {
		end := rowHead + int(binary.LittleEndian.Uint32(rest[8:]))
		if end > len(rest) {
			return all
		}
		all, rest = append(all, rest[:end:end]), rest[end:]
	}
	return all
}

// changeUnread changes the list of unreadable molecules.
func (f *forger) changeUnread() {
	f.unreadSum = true
	line := []string{"1,C(C,cannot be read\n", "\"", "\n", strings.Repeat(",", 1<<20), "1,2\n", strings.Repeat("1,C,x\n", 1000)}[f.chance(6)]
	f.unread = append(f.unread, line...)
	if f.chance(2) == 1 {
		f.kept["unread"] = json.Number(strconv.Itoa(f.chance(3)))
	}
}
