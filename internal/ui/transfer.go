package ui

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"

	"github.com/schollz/progressbar/v3"
)

// A Transfer shows the progress of downloads, one file after the other.
type Transfer struct {
	Display
	file string // the present file
}

// NewTransfer returns a Transfer that prints results to out and progress to progress.
func NewTransfer(out, progress io.Writer) Transfer {
	return Transfer{Display: NewDisplay(out, progress)}
}

// Arrived reports that done of total bytes of a file have arrived. A total of 0 is unknown.
func (t *Transfer) Arrived(file string, done, total int64) {
	if file != t.file {
		t.Close()
		t.file, t.line = file, t.Now()
		if t.Terminal {
			t.bar = newBytesBar(screen(t.Progress), file, total)
		}
	}
	switch now := t.Now(); {
	case t.bar != nil && now.Sub(t.line) >= blink:
		t.line = now
		_ = t.bar.Set64(done) // fails only beyond the total
	case t.bar == nil && now.Sub(t.line) >= t.every():
		t.line = now
		of := ""
		if total > 0 {
			of = " of " + Bytes(total)
		}
		printRecord(t.Progress, fmt.Sprintf("%s  %s%s", file, Bytes(done), of),
			slog.String("file", file), slog.Int64("bytes", done), slog.Int64("of", total))
	}
}

func newBytesBar(w io.Writer, name string, total int64) *progressbar.ProgressBar {
	total = cmp.Or(total, -1)
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowTotalBytes(true),
	)
}
