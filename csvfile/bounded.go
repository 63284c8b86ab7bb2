package csvfile

import (
	"fmt"
	"io"
)

const (
	// MaxRatio is how many times its own size a compressed file may hold: zeros
	// alone reach 1,000 times theirs, tables of molecules less than 30.
	MaxRatio = 200
	// harmless is how many bytes any file may hold: a few molecules again and again.
	harmless = 1 << 20
)

// ErrTooLarge says that a file holds more than it may.
var ErrTooLarge = fmt.Errorf("holds more than %d times its size", MaxRatio)

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

// most is how many bytes may have come out of a compressed text of which so many
// were read.
func (c *counter) most() int64 { return max(harmless, MaxRatio*c.n) }

// Bounded reads what a compressed text holds, as long as that is no more than Most
// says.
type Bounded struct {
	Plain io.Reader
	Most  func() int64
	n     int64
}

func (b *Bounded) Read(p []byte) (int, error) {
	n, err := b.Plain.Read(p)
	if b.n += int64(n); b.n > b.Most() {
		return 0, ErrTooLarge
	}
	return n, err
}
