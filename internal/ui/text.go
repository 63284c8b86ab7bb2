package ui

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Say prints text for users. It ignores errors, since the screen may be closed, and files
// also contain all results.
func Say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// Figure formats a figure of merit, or a dash if it was not measured.
func Figure(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}

// Seconds formats a time in seconds, minutes or hours.
func Seconds(s float64) string {
	switch {
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	case s < 6000:
		return fmt.Sprintf("%.1f min", s/60)
	}
	return fmt.Sprintf("%.1f h", s/3600)
}

// Count formats a number with a noun, in the plural if necessary.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Grouped formats 9307546 as 9,307,546.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Bytes formats 12345678 as 12.3 MB.
func Bytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// Cut shortens a line to less than a screen's width.
func Cut(line string, width int) string {
	if r := []rune(line); len(r) > width-1 {
		return string(r[:max(0, width-2)]) + "…"
	}
	return line
}

// Wrap breaks text into lines of at most width characters. Each line begins with indent.
func Wrap(text, indent string, width int) string {
	var b strings.Builder
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(indent+line+" "+word) > width {
			b.WriteString(indent + line + "\n")
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return b.String() + indent + line + "\n"
}
