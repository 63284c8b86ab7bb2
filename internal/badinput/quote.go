package badinput

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// quoted is how many characters of what a user wrote are shown: enough to find it.
	quoted = 60
	// listed is how many of several names are shown.
	listed = 12
	// longest is the length in bytes of a part of a message. A longer part repeats its
	// input.
	longest = 1_000
)

// Quote returns what a user wrote in quotation marks, as Go writes strings, and of a
// long text the beginning with its length: "abc"… (1000 bytes).
func Quote(text string) string {
	short := shortened(text, quoted)
	if short == text {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(short), len(text))
}

// List returns names, such as those of columns, with a comma between them; of many, or
// of long ones, the beginning.
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

// Path returns a path for a command that is to be given to a shell: in quotation
// marks where it has characters that a shell reads as something else.
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

// bounded leaves out the end of what is too long for a message.
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
