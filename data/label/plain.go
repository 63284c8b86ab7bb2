package label

import (
	"html"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain returns a cell or a name as a plain keyboard writes it: full-width letters and brackets, subscripts, signs of
// HTML such as &micro; and characters without a width are replaced. Raised digits, which are exponents, stay.
func Plain(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < 0x80
	}
	if ascii && strings.IndexByte(text, '&') < 0 {
		return text
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case strings.ContainsRune("【〔〖「『〈《", r):
			return '('
		case strings.ContainsRune("】〕〗」』〉》", r):
			return ')'
		}
		return r
	}, compatible(text))
}

// compatible replaces characters by those of Unicode's form NFKC. It keeps the characters of Latin-1, such as µ and
// spaces between thousands, raised digits, and the ellipsis.
func compatible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x100 || r >= '⁰' && r <= '⁾' || r == '…' || r >= '\u2000' && r <= '\u200a' || r == '\u202f' {
			b.WriteRune(r)
			continue
		}
		b.WriteString(norm.NFKC.String(string(r)))
	}
	return b.String()
}
