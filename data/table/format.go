package table

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pacia/data/label"
)

// A numberFormat is the number format of a cell: one to four sections, each for some values. The package nfp, by which
// excelize parses formats, takes digits of quoted text, as those of ">10000 nM", for places of the number.
type numberFormat []formatSection

// A formatSection is a format of some values.
type formatSection struct {
	sign  string  // of its condition, such as > of [>10000]; empty: no condition
	limit float64 // of the condition

	text    string // what is shown; runes of private use stand for the parts of the number
	zeros   int    // digits before the decimal point that are always shown
	whole   bool   // it has places for whole numbers only
	scale   int    // powers of 1,000 by which the number is divided
	date    bool   // or time
	elapsed bool   // hours, minutes or seconds that are not a time of a day
	percent bool
	words   bool // the section of text, @
}

// Characters of private use in the text of a section.
const (
	zero  = '\ue000' // a place of a digit that is always shown
	digit = '\ue001' // a place of a digit that a larger number needs
	point = '\ue002' // any other part of a number, such as a decimal point
)

func isPlace(r rune) bool { return r >= zero && r <= point }

// element matches one element of a format.
var element = regexp.MustCompile(`(?is)^(?:"[^"]*"?|[\\_*].|\[[^\]]*\]|general|am/pm|a/p|e[+-]|.)`)

// condition matches a condition in brackets.
var condition = regexp.MustCompile(`^\[(<=|>=|<>|<|>|=)\s*([-+.\dEe]+)\]$`)

// elapsed matches hours, minutes or seconds in brackets.
var elapsed = regexp.MustCompile(`(?i)^\[(?:h+|m+|s+)\]$`)

func parseFormat(code string) numberFormat {
	f := numberFormat{{whole: true}}
	for code != "" {
		e := element.FindString(code)
		if e == "" {
			return nil // not UTF-8
		}
		code = code[len(e):]
		if e == ";" {
			f = append(f, formatSection{whole: true})
			continue
		}
		f[len(f)-1].add(e)
	}
	return f
}

// add adds an element.
func (s *formatSection) add(e string) {
	switch e[0] {
	case '"':
		s.text += strings.Trim(e, `"`)
	case '\\':
		s.text += e[1:]
	case '_':
		s.text += " "
	case '*': // fills the cell
	case '[':
		s.bracket(e)
	case '0':
		if s.text, s.scale = s.text+string(zero), 0; s.whole {
			s.zeros++
		}
	case '#', '?':
		s.text, s.scale = s.text+string(digit), 0
	case '.':
		s.text, s.whole = s.text+string(point), false
	case ',':
		if s.placed() {
			s.scale++
		} else {
			s.text += e
		}
	case '%':
		s.percent = true
	case '@':
		s.words = true
	default:
		switch lower := strings.ToLower(e); {
		case lower == "general":
			s.text += string(digit)
		case lower == "e+", lower == "e-", e == "/" && s.placed():
			s.text, s.whole, s.scale = s.text+string(point), false, 0
		case strings.Contains("ydhms", lower), lower == "am/pm", lower == "a/p":
			s.date = true
		default:
			s.text += e
		}
	}
}

// placed reports whether the section shows a number.
func (s *formatSection) placed() bool { return strings.IndexFunc(s.text, isPlace) >= 0 }

// bracket adds an element in brackets: a condition, a currency with a language, elapsed time, or a colour.
func (s *formatSection) bracket(e string) {
	inner := strings.TrimSuffix(e[1:], "]")
	if c := condition.FindStringSubmatch(e); c != nil {
		if limit, err := strconv.ParseFloat(c[2], 64); err == nil {
			s.sign, s.limit = c[1], limit
		}
		return
	}
	if currency, is := strings.CutPrefix(inner, "$"); is {
		currency, _, _ = strings.Cut(currency, "-")
		s.text += currency
	}
	if elapsed.MatchString(e) {
		s.date, s.elapsed = true, true
	}
}

func (s *formatSection) holds(v float64) bool {
	return map[string]bool{
		"<": v < s.limit, "<=": v <= s.limit, ">": v > s.limit, ">=": v >= s.limit, "=": v == s.limit, "<>": v != s.limit,
	}[s.sign]
}

// section returns the section that shows a number, as Excel chooses it.
func (f numberFormat) section(v float64) formatSection {
	numbers := slices.DeleteFunc(slices.Clone(f), func(s formatSection) bool { return s.words && !s.placed() })
	if len(numbers) == 0 {
		return formatSection{text: string(point)}
	}
	numbers = numbers[:min(3, len(numbers))]
	second := numbers[min(1, len(numbers)-1)]
	last := numbers[len(numbers)-1]
	switch {
	case numbers[0].sign != "" || second.sign != "":
		switch {
		case numbers[0].holds(v):
			return numbers[0]
		case second.holds(v):
			return second
		case numbers[0].sign != "" && second.sign != "":
			return last
		}
		return second
	case v < 0:
		return second
	case v == 0 && len(numbers) == 3:
		return last
	}
	return numbers[0]
}

// shows reports whether a cell may be read as other than its stored number.
func (f numberFormat) shows() bool {
	return slices.ContainsFunc(f, func(s formatSection) bool {
		return s.date || s.percent || s.whole && s.zeros > 1 || strings.ContainsFunc(s.text, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(boundSigns, r)
		})
	})
}

const boundSigns = "<>≤≥~"

var (
	leadingSign = regexp.MustCompile(`^([` + boundSigns + `]=?)\s*(.*)$`)
	boundText   = regexp.MustCompile(`^([` + boundSigns + `]=?)\s*([\d.,]*\d)\s*(.*)$`)
)

// ends returns the sign and the unit that the section shows around its number.
func (s *formatSection) ends() (sign, unit string) {
	first, last := strings.IndexFunc(s.text, isPlace), strings.LastIndexFunc(s.text, isPlace)
	before, after := strings.TrimSpace(s.text[:first]), s.text[last+len(string(digit)):]
	if m := leadingSign.FindStringSubmatch(strings.TrimLeft(before, "( -")); m != nil {
		sign, before = m[1], m[2]
	}
	return sign, cmp.Or(unitIn(after), unitIn(before))
}

// unitIn returns the concentration that a text states, such as nM of " (nM)" and of ") nM [n = 3]"; else it is empty.
func unitIn(text string) string {
	text = strings.Trim(text, " \u00a0\u2009\u202f)-") + " "
	start := strings.IndexAny(text, "([")
	if start == 0 {
		text = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("()[]", r) })[0]
	} else if start > 0 {
		text = text[:start]
	}
	if text = strings.TrimSpace(text); !label.IsUnit(text) || strings.Contains(text, "%") {
		return ""
	}
	return text
}

// read returns the number v of a cell as the format shows it, with its sign, and its unit. A number of a name has the
// text around it, and all numbers have the zeros before them.
func (f numberFormat) read(cell string, v float64, name bool) (text, unit string) {
	s := f.section(v)
	shown := strings.TrimSpace(s.text)
	switch {
	case s.percent:
		return strconv.FormatFloat(v*100, 'g', 15, 64) + "%", ""
	case !s.placed():
		if m := boundText.FindStringSubmatch(shown); m != nil {
			return m[1] + strings.ReplaceAll(m[2], ",", ""), unitIn(m[3])
		}
		if strings.ContainsFunc(shown, unicode.IsLetter) {
			return shown, ""
		}
		return cell, f.unit()
	}
	sign, unit := s.ends()
	switch {
	case unit == "" && sign == "" && s.whole && (s.zeros > 1 || name) && s.scale == 0 && v >= 0 && v == float64(int64(v)):
		return s.fill(strconv.FormatInt(int64(v), 10)), ""
	case unit == "" && v == 0:
		unit = f.unit()
	case unit != "" && s.scale > 0:
		for range min(s.scale, 10) {
			v /= 1000
		}
		cell = strconv.FormatFloat(v, 'g', 15, 64)
	}
	return sign + cell, unit
}

// unit returns the unit of all sections that show one; empty if they differ. It is that of a zero shown as a dash.
func (f numberFormat) unit() (unit string) {
	for _, s := range f {
		if !s.placed() {
			continue
		}
		if _, own := s.ends(); own != "" {
			if unit != "" && unit != own {
				return ""
			}
			unit = own
		}
	}
	return unit
}

// fill writes the digits of a whole number to its places, from the right.
func (s *formatSection) fill(digits string) string {
	text := []rune(strings.TrimSpace(s.text))
	first := slices.IndexFunc(text, isPlace)
	shown := ""
	for i := len(text) - 1; i >= 0; i-- {
		switch own := string(text[i]); {
		case !isPlace(text[i]):
			shown = own + shown
		case digits != "" && i == first:
			shown = digits + shown
		case digits != "":
			shown, digits = digits[len(digits)-1:]+shown, digits[:len(digits)-1]
		case text[i] == zero:
			shown = "0" + shown
		}
	}
	return shown
}
