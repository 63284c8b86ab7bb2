package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"pacia/internal/badinput"
)

const (
	// MaxRatio is how many times its own size a packed file may hold: zeros alone
	// reach 1,000 times theirs, tables of molecules less than 30.
	MaxRatio = 200
	// harmless is how many bytes any file may hold, and harmlessLines how many lines:
	// a few molecules again and again.
	harmless      = 1 << 20
	harmlessLines = 10_000
)

// A Plain is the text of a file, whether it was packed or not.
type Plain struct {
	*bufio.Reader
	Packed bool // by gzip
}

// NewPlain reads a text which faults call name. Whether it is packed, its first bytes
// tell. Errors are *badinput.Error.
//
// Of a packed text no more comes out than [MaxRatio] times what went in, and no more
// lines than bytes went in: one that says something new takes some.
func NewPlain(name string, text io.Reader) (*Plain, error) {
	packed := &counter{Reader: text}
	b := bufio.NewReaderSize(packed, 1<<16)
	start, err := b.Peek(len(gzipMagic))
	if !bytes.Equal(start, gzipMagic) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, Unreadable(name, err)
		}
		return &Plain{Reader: b}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, damaged(name, err)
	}
	return &Plain{bufio.NewReaderSize(&bounded{name: name, plain: z, packed: packed}, 1<<16), true}, nil
}

var gzipMagic = []byte{0x1f, 0x8b}

// Plain returns the text of the file.
func (f *File) Plain() (*Plain, error) { return NewPlain(f.Name, f) }

// counter counts what is read through it.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded reads what a packed text holds, as long as that is in proportion.
type bounded struct {
	name     string
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
		err = damaged(b.name, err)
	}
	return n, err
}

func (b *bounded) refuse(what string) error {
	return &badinput.Error{File: b.name, What: "refused: it holds " + what, Fix: "unpack it, if it is what it should be"}
}

// damaged explains an error of unpacking.
func damaged(name string, err error) error {
	var known *badinput.Error
	if errors.As(err, &known) {
		return known // of the file itself
	}
	return &badinput.Error{File: name, What: "damaged gzip file", Err: err, Fix: "fetch it again"}
}
