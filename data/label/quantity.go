package label

import (
	"slices"
	"strings"
	"unicode"
)

// A Quantity is a price, an amount or a share in a cell: "$85", "1,200 USD", "5 mg", "> 95 %".
type Quantity struct {
	Sign   byte   // '=', or '<' or '>' for a bound
	Number string // as it is written, for [Number] and [Decimal]
	Unit   string // empty without one; currencies have their codes
	Form   Form   // of the number

	unit unit
}

// QuantityOf reads a cell. It returns false for a cell that is not one number, perhaps with a sign and a unit.
func QuantityOf(cell string) (q Quantity, ok bool) {
	sign, _, text := cutSign(signed(strings.TrimSpace(cell)))
	before := ""
	if at := strings.IndexAny(text, "0123456789.+-−"); at > 0 {
		before, text = strings.TrimSpace(text[:at]), text[at:]
		if _, known := currency(before); !known {
			return q, false
		}
	}
	text = scientific(text)
	end := numberLength(text)
	number, after := text[:end], strings.TrimSpace(text[end:])
	if at := strings.IndexByte(after, '('); at >= 0 && strings.HasSuffix(after, ")") { // 85 EUR (without VAT)
		after = strings.TrimSpace(after[:at])
	}
	if whole := strings.TrimRight(number, ".,"); len(whole)+1 == len(number) {
		for _, dash := range dashes {
			if rest, found := strings.CutPrefix(after, dash); found { // 85.– EUR
				number, after = whole, strings.TrimSpace(rest)
			}
		}
	}
	_, form := parseNumber(number, false)
	if form == notNumber {
		return q, false
	}
	if strings.HasPrefix(after, "/") || after == "" {
		after, before = before+after, ""
	}
	if _, known := currency(after); before != "" && !known || after != "" && !isUnitText(after) {
		return q, false
	}
	u := quantityUnit(after)
	return Quantity{sign, number, u.name, form, u}, true
}

// dashes stand for cents, as in 85.– and 85,- €.
var dashes = []string{"-", "–", "—"}

// In returns the factor that converts numbers in the unit of q to those in another unit, or false where they cannot be
// compared.
func (q Quantity) In(other Quantity) (factor float64, ok bool) {
	if q.unit.dimension != other.unit.dimension {
		return 0, false
	}
	return q.unit.factor / other.unit.factor, true
}

// elsewhere begins the dimensions of unknown units: cells with the same one are compared.
const elsewhere = "another unit, "

// currencies lists the names of each currency in lower case, by its code.
var currencies = map[string][]string{
	"USD": {"usd", "$", "us$", "dollar", "dollars"}, "EUR": {"eur", "€", "euro", "euros"}, "GBP": {"gbp", "£"},
	"JPY": {"jpy", "¥"}, "CNY": {"cny", "rmb", "cn¥"}, "CHF": {"chf", "fr.", "sfr"}, "INR": {"inr", "₹"}, "KRW": {"krw", "₩"},
	"CAD": {"cad", "ca$", "c$"}, "AUD": {"aud", "au$", "a$"},
	"SEK": {"sek"}, "DKK": {"dkk"}, "NOK": {"nok"}, "PLN": {"pln"}, "CZK": {"czk"},
}

func currency(text string) (code string, known bool) {
	text = strings.ToLower(text)
	for code, names := range currencies {
		if slices.Contains(names, text) {
			return code, true
		}
	}
	return "", false
}

// weighed are the units of masses, volumes and amounts of substance, without prefixes.
var weighed = []struct{ ending, of string }{{"mol", "amount"}, {"g", "weight"}, {"l", "volume"}}

// quantityUnit reads the unit of a quantity. An unknown one gets a dimension of its own.
func quantityUnit(text string) unit {
	if code, known := currency(text); known {
		return unit{name: code, dimension: "currency, " + code, factor: 1}
	}
	if u, known := parseUnit(text); known {
		return u
	}
	plain := strings.ToLower(spelt.Replace(text))
	for _, a := range weighed {
		prefix, found := strings.CutSuffix(plain, a.ending)
		if f, known := metric[prefix]; found && known {
			return unit{name: text, dimension: a.of, factor: f}
		}
	}
	return unit{name: text, dimension: elsewhere + plain, factor: 1}
}

// isUnitText reports whether the text after a number can be a unit: at most three words without digits.
func isUnitText(text string) bool {
	if len(text) > 20 || strings.Count(text, " ") > 2 {
		return false
	}
	for i, letter := range text {
		begins := unicode.IsLetter(letter) || unicode.Is(unicode.Sc, letter) || strings.ContainsRune("%°/", letter)
		if !begins && (i == 0 || !strings.ContainsRune(" .·-⁻¹", letter)) {
			return false
		}
	}
	return true
}
