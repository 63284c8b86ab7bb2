package ui

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// A Live is a text that is redrawn in place every second.
type Live struct {
	screen *os.File
	lines  func(width, height int) []string
	drawn  int // lines on the screen
	end    chan bool
	ended  sync.WaitGroup
}

// NewLive draws the lines that the function returns for the screen's width and height, until
// Close. It returns nil if progress is not a terminal.
func NewLive(progress io.Writer, lines func(width, height int) []string) *Live {
	screen := terminal(progress)
	if screen == nil {
		return nil
	}
	l := &Live{screen: screen, lines: lines, end: make(chan bool)}
	l.ended.Go(l.redraw)
	return l
}

func (l *Live) redraw() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		l.clear()
		l.draw()
		select {
		case <-l.end:
			return
		case <-tick.C:
		}
	}
}

func (l *Live) draw() {
	width, height, err := term.GetSize(int(l.screen.Fd()))
	if err != nil {
		width, height = 80, 24
	}
	if lines := l.lines(width, height-2); len(lines) > 0 {
		Say(l.screen, "%s\n", strings.Join(lines, "\n"))
		l.drawn = len(lines)
	}
}

func (l *Live) clear() {
	if l.drawn > 0 {
		Say(l.screen, "\x1b[%dA\x1b[J", l.drawn) // moves up and deletes everything below
	}
	l.drawn = 0
}

// Close removes the text. The Live may be nil.
func (l *Live) Close() {
	if l == nil {
		return
	}
	close(l.end)
	l.ended.Wait()
	l.clear()
}
