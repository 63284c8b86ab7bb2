package label

import (
	"regexp"
	"strings"
)

// A measurement is a value, perhaps only a bound of it.
type measurement struct {
	sign  byte // '=', '<' or '>'
	orEq  bool // the bound itself is possible: ≤ or ≥
	value float64
	form  form
	unit  unit // without dimension where the cell names none
}

// signs in the order in which they are looked for.
var signs = []struct {
	text string
	sign byte
	orEq bool
}{
	{"<=", '<', true}, {"=<", '<', true}, {"≤", '<', true}, {">=", '>', true}, {"=>", '>', true}, {"≥", '>', true},
	{"<<", '<', false}, {">>", '>', false}, {"≪", '<', false}, {"≫", '>', false}, {"＜", '<', false}, {"＞", '>', false},
	{"⩽", '<', true}, {"⩾", '>', true}, {"≦", '<', true}, {"≧", '>', true}, {"<", '<', false}, {">", '>', false},
	{"&lt;=", '<', true}, {"&gt;=", '>', true}, {"&lt;", '<', false}, {"&gt;", '>', false}, // as pages have them
	{"==", '=', false}, {"=", '=', false}, {"~", '=', false}, {"≈", '=', false}, {"ca.", '=', false},
}

// signWords are what stands for a sign in a column of signs.
var signWords = map[string]string{
	"lt": "<", "less than": "<", "smaller than": "<", "below": "<", "le": "<=", "less than or equal": "<=", "less or equal": "<=",
	"gt": ">", "greater than": ">", "more than": ">", "above": ">", "ge": ">=", "greater than or equal": ">=", "greater or equal": ">=",
	"eq": "=", "equal": "=", "equals": "=", "equal to": "=", "exact": "=", "none": "=", "approximately": "=", "about": "=", "ca": "=", "approx": "=",
}

// parseSign reads a sign alone, as it stands in a column of its own; nothing is "=".
func parseSign(text string) (sign byte, orEq, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "'\"")
	if text == "" {
		return '=', false, true
	}
	if word, known := signWords[strings.ToLower(text)]; known {
		text = word
	}
	for _, s := range signs {
		if text == s.text {
			return s.sign, s.orEq, true
		}
	}
	return 0, false, false
}

// errorBars are what stands between a value and its error, which does not decide.
var errorBars = []string{"±", "+/-", "+-"}

// parseMeasurement reads a cell, in which commas are before decimals or not; false where it
// is not a measurement.
func parseMeasurement(cell string, commas bool) (m measurement, ok bool) {
	m.sign = '='
	text := signed(strings.TrimSpace(cell))
	for _, s := range signs {
		if rest, found := strings.CutPrefix(text, s.text); found {
			m.sign, m.orEq, text = s.sign, s.orEq, strings.TrimSpace(rest)
			break
		}
	}
	text = scientific(text)
	end := numberLength(text)
	if m.value, m.form = parseNumber(text[:end], commas); m.form == notNumber {
		return m, false
	}
	rest, ok := withoutError(strings.TrimSpace(text[end:]))
	if !ok {
		return m, false
	}
	m.unit, ok = parseUnit(rest)
	return m, ok
}

// signed writes a sign for a word before a number: > 10 for "gt 10".
func signed(text string) string {
	at := strings.IndexAny(text, "0123456789.+-−")
	if at <= 0 {
		return text
	}
	if sign, known := signWords[strings.ToLower(strings.TrimSpace(text[:at]))]; known {
		return sign + strings.TrimPrefix(text[at:], ". ") // ca. 10
	}
	return text
}

// power is a power of ten as people write it: 1x10-9, 1.5 × 10^6, 10⁻⁹. Without a sign, a ^ or
// raised digits, as in 1x109, it may be a number.
var power = regexp.MustCompile(`^([+−-]?[0-9][0-9.,]*)\s*[xX×*·]\s*10\s*(?:\^\s*([+−-]?[0-9]{1,2})|([+−-][0-9]{1,2})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))(?:[^0-9.,]|$)`)

var raised = strings.NewReplacer("⁺", "+", "⁻", "-", "−", "-",
	"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// scientific writes 1e-9 for 1x10-9.
func scientific(text string) string {
	m := power.FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	for _, group := range []int{2, 3, 4} {
		if from, to := m[2*group], m[2*group+1]; from >= 0 {
			return text[:m[3]] + "e" + raised.Replace(text[from:to]) + text[to:]
		}
	}
	return text
}

// withoutError leaves an error and a number of repeats out of what follows a number, such as
// "± 2 nM", "(±2) nM" and "nM (n=3)"; false where they are not whole.
func withoutError(rest string) (string, bool) {
	if open := strings.IndexByte(rest, '('); open >= 0 {
		length := strings.IndexByte(rest[open:], ')')
		if length < 0 {
			return "", false
		}
		inside := strings.ReplaceAll(rest[open+1:open+length], " ", "")
		around := strings.TrimSpace(rest[:open] + " " + rest[open+length+1:])
		repeats, isRepeats := strings.CutPrefix(strings.ToLower(inside), "n=")
		if isRepeats && repeats != "" && digitsAt(repeats) == len(repeats) {
			return around, true
		}
		for _, bar := range errorBars {
			if after, found := strings.CutPrefix(inside, bar); found {
				_, f := parseNumber(after, false)
				return around, f != notNumber
			}
		}
		_, known := parseUnit(inside)
		return strings.TrimSpace(strings.Replace(strings.Replace(rest, "(", "", 1), ")", "", 1)), known
	}
	for _, bar := range errorBars {
		before, after, found := strings.Cut(rest, bar)
		if !found {
			continue
		}
		after = strings.TrimSpace(after)
		end := numberLength(after)
		if _, f := parseNumber(after[:end], false); f == notNumber {
			return "", false
		}
		own, last := strings.TrimSpace(before), strings.TrimSpace(after[end:])
		if own != "" && last != "" && own != last {
			return "", false
		}
		return own + strings.TrimPrefix(last, own), true
	}
	return rest, true
}

// IsMeasurement reports whether a cell holds a number, perhaps with a sign and a unit.
func IsMeasurement(cell string) bool {
	_, ok := parseMeasurement(cell, false)
	return ok
}
