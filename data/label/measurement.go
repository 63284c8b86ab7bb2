package label

import (
	"regexp"
	"strings"
)

// A measurement is a value or a bound on a value.
type measurement struct {
	sign  byte // '=', '<' or '>'
	orEq  bool // the bound itself is possible: ≤ or ≥
	value float64
	form  Form
	unit  unit // without a dimension if the cell contains none
}

// signs are tried in this order, longer ones before their prefixes.
var signs = []struct {
	text string
	sign byte
	orEq bool
}{
	{"<=", '<', true}, {"=<", '<', true}, {"≤", '<', true}, {">=", '>', true}, {"=>", '>', true}, {"≥", '>', true},
	{"<<", '<', false}, {">>", '>', false}, {"≪", '<', false}, {"≫", '>', false}, {"＜", '<', false}, {"＞", '>', false},
	{"⩽", '<', true}, {"⩾", '>', true}, {"≦", '<', true}, {"≧", '>', true}, {"<", '<', false}, {">", '>', false},
	{"&lt;=", '<', true}, {"&gt;=", '>', true}, {"&lt;", '<', false}, {"&gt;", '>', false}, // HTML entities
	{"==", '=', false}, {"=", '=', false}, {"~", '=', false}, {"≈", '=', false}, {"ca.", '=', false},
}

// signWords are words for signs.
var signWords = map[string]string{
	"lt": "<", "less than": "<", "smaller than": "<", "below": "<", "le": "<=", "less than or equal": "<=", "less or equal": "<=",
	"gt": ">", "greater than": ">", "more than": ">", "above": ">", "ge": ">=", "greater than or equal": ">=", "greater or equal": ">=",
	"eq": "=", "equal": "=", "equals": "=", "equal to": "=", "exact": "=", "none": "=", "approximately": "=", "about": "=", "ca": "=", "approx": "=",
}

// parseSign reads a cell of a column of signs. An empty cell is "=".
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

// errorBars separate a value from its error, which is ignored.
var errorBars = []string{"±", "+/-", "+-"}

// parseMeasurement reads a cell. commas: an ambiguous comma is a decimal comma. ok is false if the cell
// is not a measurement.
func parseMeasurement(cell string, commas bool) (m measurement, ok bool) {
	var text string
	m.sign, m.orEq, text = cutSign(signed(strings.TrimSpace(cell)))
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

// cutSign separates a sign from the text behind it. A text without one has "=".
func cutSign(text string) (sign byte, orEq bool, rest string) {
	for _, s := range signs {
		if rest, found := strings.CutPrefix(text, s.text); found {
			return s.sign, s.orEq, strings.TrimSpace(rest)
		}
	}
	return '=', false, text
}

// signed replaces a word before a number by its sign: "gt 10" becomes "> 10".
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

// power matches a number times a power of ten, such as 1x10-9, 1.5 × 10^6 or 2·10⁻⁹. The exponent needs a sign,
// a ^ or raised digits: in 1x109 the last factor may be a plain number.
var power = regexp.MustCompile(`^([+−-]?[0-9][0-9.,]*)\s*[xX×*·]\s*10\s*(?:\^\s*([+−-]?[0-9]{1,2})|([+−-][0-9]{1,2})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))(?:[^0-9.,]|$)`)

var raised = strings.NewReplacer("⁺", "+", "⁻", "-", "−", "-",
	"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// scientific rewrites 1x10-9 as 1e-9.
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

// withoutError removes an error and a number of repeats from the text after a number, as in
// "± 2 nM", "(±2) nM" and "nM (n=3)". It returns false if they are incomplete.
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
