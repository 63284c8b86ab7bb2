package badinput

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// quoted is the number of characters of an input that are shown: enough to find it.
	quoted = 60
	// listed is the largest number of names that are shown.
	listed = 12
	// longest is the largest length in bytes of a part of a message. A longer part repeats
	// its input.
	longest = 1_000
)

// Quote returns text as a quoted string of Go. A long text is shortened, with its length:
// "abc"… (1000 bytes).
func Quote(text string) string {
	short := shortened(text, quoted)
	if short == text {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(short), len(text))
}

// List returns names, such as those of columns, separated by commas. Long lists and long
// names are shortened.
func List(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), listed)] {
		if short := shortened(name, quoted); short != name {
			name = short + "…"
		}
		shown = append(shown, name)
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Path returns a path for a shell command, in quotation marks if it has characters that
// are special to a shell.
func Path(path string) string {
	plain := func(r rune) bool {
		return r >= utf8.RuneSelf || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// bounded shortens a part of a message that is too long.
func bounded(part string) string {
	if len(part) <= longest {
		return part
	}
	cut := longest
	for cut > 0 && !utf8.RuneStart(part[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", part[:cut], len(part))
}
