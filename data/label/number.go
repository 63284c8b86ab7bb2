package label

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Form describes the commas and points in a number.
type Form uint8

// The forms of numbers.
const (
	notNumber    Form = iota
	digits            // no comma, no point
	PointDecimal      // 0.5, 1,234.5 and 1,234,567: decimal point
	CommaDecimal      // 0,5, 1.234,5 and 1.234.567: decimal comma
	EitherComma       // 1,234 is 1234 or 1.234
	EitherPoint       // 1.234 is 1.234 or 1234
)

// parseNumber reads a number. commas decides ambiguous forms: if true, a comma is before decimals and a
// point between thousands, and otherwise the reverse.
func parseNumber(text string, commas bool) (float64, Form) {
	text = strings.Replace(text, "−", "-", 1)
	mantissa, exponent := text, ""
	if at := strings.IndexAny(text, "eE"); at > 0 {
		mantissa, exponent = text[:at], text[at:]
	}
	mantissa, ok := ungrouped(mantissa)
	if !ok {
		return 0, notNumber
	}
	f := formOf(strings.TrimLeft(mantissa, "+-"), exponent != "")
	switch {
	case f == notNumber:
		return 0, f
	case f == CommaDecimal, f == EitherComma && commas, f == EitherPoint && commas:
		mantissa = strings.Replace(strings.ReplaceAll(mantissa, ".", ""), ",", ".", 1)
	default:
		mantissa = strings.ReplaceAll(mantissa, ",", "")
	}
	v, err := strconv.ParseFloat(mantissa+exponent, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, notNumber
	}
	return v, f
}

// Number reads a number whose form is not ambiguous. It returns false for 1,200 and for text that is
// not a number.
func Number(text string) (float64, bool) {
	v, f := parseNumber(strings.TrimSpace(text), false)
	return v, f == digits || f == PointDecimal || f == CommaDecimal
}

// Decimal reads a number whose comma is before decimals if commas is true, and between thousands otherwise.
func Decimal(text string, commas bool) (float64, bool) {
	v, f := parseNumber(strings.TrimSpace(text), commas)
	return v, f != notNumber && (f != CommaDecimal || commas) && (f != PointDecimal || !commas)
}

// formOf returns the form of a number without its sign and exponent. exponent: the number has one.
func formOf(text string, exponent bool) Form {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && c != '.' && c != ',' {
			return notNumber
		}
	}
	comma, point := strings.LastIndexByte(text, ','), strings.LastIndexByte(text, '.')
	switch {
	case strings.Trim(text, ".,") == "":
		return notNumber
	case comma < 0 && point < 0:
		return digits
	case comma >= 0 && point >= 0 && comma < point:
		return grouped(text[:point], ",", PointDecimal, strings.IndexByte(text, '.') < point)
	case comma >= 0 && point >= 0:
		return grouped(text[:comma], ".", CommaDecimal, strings.IndexByte(text, ',') < comma)
	case comma >= 0:
		return single(text, ",", exponent, PointDecimal, CommaDecimal, EitherComma)
	}
	return single(text, ".", exponent, CommaDecimal, PointDecimal, EitherPoint)
}

// grouped returns f if the digits before the decimal sign are grouped in thousands, and notNumber otherwise
// or if there are two decimal signs (twice).
func grouped(whole, sign string, f Form, twice bool) Form {
	if twice || !threes(whole, sign) {
		return notNumber
	}
	return f
}

// single returns the form of a number that contains only commas or only points.
func single(text, sign string, exponent bool, thousands, decimal, either Form) Form {
	whole, after, _ := strings.Cut(text, sign)
	switch {
	case strings.Contains(after, sign):
		if threes(text, sign) {
			return thousands
		}
		return notNumber
	case exponent, len(after) != 3, len(whole) == 0, len(whole) > 3, whole[0] == '0':
		return decimal
	}
	return either
}

// threes reports whether digits are grouped in threes, or, with commas, as lakhs and crores
// are in 12,34,567.
func threes(text, sign string) bool {
	groups := strings.Split(text, sign)
	first, last := len(groups[0]), len(groups)-1
	inner := 3
	if sign == "," && last > 1 && len(groups[1]) == 2 {
		inner = 2
	}
	for i, g := range groups[1:] {
		if i+1 == last && len(g) != 3 || i+1 < last && len(g) != inner {
			return false
		}
	}
	return first >= 1 && first <= inner
}

// gaps are the separators between groups of three digits other than comma and point.
const gaps = " \u00a0\u2009\u202f'’"

// ungrouped removes gaps between thousands. It returns false if a gap is anywhere else.
func ungrouped(text string) (string, bool) {
	at := strings.IndexAny(text, gaps)
	if at < 0 {
		return text, true
	}
	var b strings.Builder
	b.WriteString(text[:at])
	for at < len(text) {
		if !strings.ContainsRune(gaps, []rune(text[at:])[0]) {
			b.WriteString(text[at:])
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		if at += size; digitsAt(text[at:]) != 3 {
			return "", false
		}
		b.WriteString(text[at : at+3])
		at += 3
	}
	before := strings.TrimLeft(text[:strings.IndexAny(text, gaps)], "+-")
	return b.String(), digitsAt(before) == len(before) && len(before) >= 1 && len(before) <= 3
}

func digitsAt(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

func numberLength(text string) int {
	i := 0
	if strings.HasPrefix(text, "−") {
		i = len("−")
	}
	for i < len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9', c == '.', c == ',':
		case (c == '-' || c == '+') && (i == 0 || text[i-1] == 'e' || text[i-1] == 'E'):
		case (c == 'e' || c == 'E') && i > 0 && i+1 < len(text) && (text[i+1] == '-' || text[i+1] == '+' || text[i+1] >= '0' && text[i+1] <= '9'):
		default:
			size := gapLength(text, i)
			if size == 0 {
				return i
			}
			i += size - 1
		}
		i++
	}
	return i
}

// gapLength returns the length in bytes of a gap at i between a digit and exactly three digits; 0 if
// there is no such gap.
func gapLength(text string, i int) int {
	letter, size := utf8.DecodeRuneInString(text[i:])
	if i == 0 || text[i-1] < '0' || text[i-1] > '9' || !strings.ContainsRune(gaps, letter) || digitsAt(text[i+size:]) != 3 {
		return 0
	}
	return size
}
