package csvfile

import (
	"fmt"
	"io"
)

const (
	// maxRatio is how many times its own size a compressed file may hold: zeros
	// alone reach 1,000 times theirs, tables of molecules less than 30.
	maxRatio = 200
	// harmless is how many bytes any file may hold: a few molecules again and again.
	harmless = 1 << 20
)

var errTooLarge = fmt.Errorf("it holds more than %d times its size", maxRatio)

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

// bounded reads what a compressed text holds, as long as that is in proportion
// to what was read of the text.
type bounded struct {
	plain  io.Reader
	packed *counter
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.plain.Read(p)
	if b.n += int64(n); b.n > max(harmless, maxRatio*b.packed.n) {
		return 0, errTooLarge
	}
	return n, err
}
