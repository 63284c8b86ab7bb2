package table

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"pacia/data/note"
)

// wide detects UTF-16 by its byte order mark or by the zero bytes of its letters. It returns
// "UTF-16LE", "UTF-16BE" or an empty string.
func wide(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}):
		return "UTF-16LE"
	case bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return "UTF-16BE"
	}
	var zeros [2]int // at even and odd offsets
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
	}
	// A table of molecules is mostly ASCII. UTF-16 makes every second byte of it 0.
	switch most := len(start) / 2; {
	case most < 2:
	case zeros[0] == 0 && zeros[1] > most*3/4:
		return "UTF-16LE"
	case zeros[1] == 0 && zeros[0] > most*3/4:
		return "UTF-16BE"
	}
	return ""
}

// decoded returns the text in UTF-8, without a byte order mark.
func (r *Reader) decoded(text *bufio.Reader, o Options) io.Reader {
	start, _ := text.Peek(4096)
	var to transform.Transformer
	switch kind := wide(start); {
	case o.Encoding != "":
		named, err := htmlindex.Get(o.Encoding)
		if err != nil {
			panic(err) // Options.Check has accepted the name
		}
		to = unicode.BOMOverride(named.NewDecoder())
	case kind != "":
		r.Notes = append(r.Notes, note.Note{Text: kind, Switch: "--encoding"})
		order := unicode.LittleEndian
		if kind == "UTF-16BE" {
			order = unicode.BigEndian
		}
		to = unicode.UTF16(order, unicode.UseBOM).NewDecoder()
	default:
		r.latin = new(guess)
		if bytes.HasPrefix(start, []byte("\ufeff")) {
			_, _ = text.Discard(len("\ufeff")) // it is in the buffer
		}
		to = r.latin
	}
	return transform.NewReader(text, to)
}

// A guess copies UTF-8, and decodes bytes that are not UTF-8 as Windows-1252.
type guess struct {
	transform.NopResetter

	used bool // some bytes were decoded as Windows-1252
}

func (g *guess) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if n := ascii(src[nSrc:]); n > 0 {
			copied := copy(dst[nDst:], src[nSrc:nSrc+n])
			nDst, nSrc = nDst+copied, nSrc+copied
			if copied < n {
				return nDst, nSrc, transform.ErrShortDst
			}
			continue
		}
		letter, size := utf8.DecodeRune(src[nSrc:])
		if letter == utf8.RuneError && size == 1 {
			if !atEOF && !utf8.FullRune(src[nSrc:]) {
				return nDst, nSrc, transform.ErrShortSrc
			}
			letter, g.used = charmap.Windows1252.DecodeByte(src[nSrc]), true
		}
		if nDst+utf8.RuneLen(letter) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], letter)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// ascii returns the number of ASCII bytes at the beginning.
func ascii(text []byte) int {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}
