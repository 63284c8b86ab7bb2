package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"pacia/internal/badinput"
)

const (
	// MaxRatio limits the decompressed size, as a multiple of the file's size. The ratio
	// is 1,000 for zeros and below 30 for tables of molecules.
	MaxRatio = 200
	// harmless and harmlessLines are numbers of bytes and lines that every file may
	// have, such as many repeats of a few molecules.
	harmless      = 1 << 20
	harmlessLines = 10_000
)

// A Plain is the text of a file, decompressed if necessary.
type Plain struct {
	*bufio.Reader
	Packed bool // by gzip or bzip2
}

// NewPlain returns the text of a file, which it decompresses if the first bytes are those
// of gzip or bzip2. Errors are *badinput.Error with this name.
//
// The size of decompressed text is limited to [MaxRatio] times the compressed size, and the
// number of its lines to the number of compressed bytes: a line with new content takes at
// least one.
func NewPlain(name string, text io.Reader) (*Plain, error) {
	packed := &counter{Reader: text}
	b := bufio.NewReaderSize(packed, 1<<16)
	start, err := b.Peek(longestMagic)
	for _, p := range packers {
		if !bytes.HasPrefix(start, []byte(p.magic)) {
			continue
		}
		z, err := p.open(b)
		if err != nil {
			return nil, damaged(name, p.name, err)
		}
		return &Plain{bufio.NewReaderSize(&bounded{name: name, packer: p.name, plain: z, packed: packed}, 1<<16), true}, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Unreadable(name, err)
	}
	return &Plain{Reader: b}, nil
}

// longestMagic is the length of the longest beginning of packers.
const longestMagic = 10

// packers are the programs whose files are decompressed, with the first bytes of these. For bzip2 they have the block
// size and the beginning of a block, since BZh may begin a text.
var packers = []struct {
	magic, name string
	open        func(io.Reader) (io.Reader, error)
}{
	{"\x1f\x8b", "gzip", func(b io.Reader) (io.Reader, error) { return gzip.NewReader(b) }},
	{"BZh91AY&SY", "bzip2", func(b io.Reader) (io.Reader, error) { return bzip2.NewReader(b), nil }},
}

// Plain returns the text of the file.
func (f *File) Plain() (*Plain, error) { return NewPlain(f.Name, f) }

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded reads decompressed text up to the limits of NewPlain.
type bounded struct {
	name     string
	packer   string
	plain    io.Reader
	packed   *counter
	n, lines int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.plain.Read(p)
	b.n += int64(n)
	b.lines += int64(bytes.Count(p[:n], []byte{'\n'}))
	switch {
	case b.n > max(harmless, MaxRatio*b.packed.n):
		return 0, b.refuse(fmt.Sprintf("more than %d times its size", MaxRatio))
	case b.lines > max(harmlessLines, b.packed.n):
		return 0, b.refuse("more lines than it has bytes")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged(b.name, b.packer, err)
	}
	return n, err
}

func (b *bounded) refuse(what string) error {
	return &badinput.Error{File: b.name, What: "refused: it holds " + what, Fix: "unpack it, if it is what it should be"}
}

// damaged returns an error of decompression as a *badinput.Error.
func damaged(name, packer string, err error) error {
	var known *badinput.Error
	if errors.As(err, &known) {
		return known // of the file itself
	}
	return &badinput.Error{File: name, What: "damaged " + packer + " file", Err: err, Fix: "fetch it again"}
}

// Packed reports whether a file begins like one that NewPlain decompresses.
func Packed(start []byte) bool {
	for _, p := range packers {
		if bytes.HasPrefix(start, []byte(p.magic)) {
			return true
		}
	}
	return false
}

// NewBounded returns text that packer decompresses from size bytes, within the limits of NewPlain.
func NewBounded(name, packer string, text io.Reader, size int64) *bufio.Reader {
	return bufio.NewReaderSize(&bounded{name: name, packer: packer, plain: text, packed: &counter{n: size}}, 1<<16)
}
