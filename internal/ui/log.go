package ui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A Log is the standard error of a command. All output passes through it: lines, at
// slog.LevelInfo, and records of slog, whose handler it is. It writes text, or one JSON
// object a line for programs.
//
// As text, an Info record is its message, a complete sentence. A warning has its
// attributes after the message, an error the program's name before it, and a Debug
// record the seconds since the beginning.
type Log struct {
	out   io.Writer
	level slog.LevelVar
	text  bool
	json  slog.Handler
	begun time.Time
	words func(string) string // of messages below slog.LevelError; nil: as they are

	mu   sync.Mutex // for part, and for out as text
	part []byte     // an unfinished line
}

// NewLog returns a Log that writes text to out.
func NewLog(out io.Writer) *Log {
	l := &Log{out: out, text: true, begun: time.Now()}
	l.json = slog.NewJSONHandler(out, &slog.HandlerOptions{Level: &l.level})
	return l
}

// The names of formats.
const (
	FormatText = "text"
	FormatJSON = "json"
)

// SetFormat sets the format, FormatText or FormatJSON.
func (l *Log) SetFormat(name string) { l.text = name == FormatText }

// SetLevel sets the lowest level to print.
func (l *Log) SetLevel(level slog.Level) { l.level.Set(level) }

// SetWords makes messages below slog.LevelError pass through words. Call it before records are logged.
func (l *Log) SetWords(words func(string) string) { l.words = words }

// Enabled implements slog.Handler.
func (l *Log) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level.Level() }

// Handle implements slog.Handler.
func (l *Log) Handle(ctx context.Context, r slog.Record) error {
	if l.words != nil && r.Level < slog.LevelError {
		r.Message = l.words(r.Message)
	}
	if !l.text {
		return l.json.Handle(ctx, r)
	}
	return l.print(line(r, time.Since(l.begun)))
}

// WithAttrs implements slog.Handler.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler { return with{l, attrs} }

// WithGroup implements slog.Handler. It ignores groups, which this program does not use.
func (l *Log) WithGroup(string) slog.Handler { return l }

// with is a Log that adds attributes to its records.
type with struct {
	*Log
	attrs []slog.Attr
}

func (w with) Handle(ctx context.Context, r slog.Record) error {
	r = r.Clone()
	r.AddAttrs(w.attrs...)
	return w.Log.Handle(ctx, r)
}

func (w with) WithAttrs(attrs []slog.Attr) slog.Handler {
	return with{w.Log, append(w.attrs[:len(w.attrs):len(w.attrs)], attrs...)}
}

func line(r slog.Record, since time.Duration) string {
	var more []string
	if r.Level != slog.LevelInfo {
		r.Attrs(func(a slog.Attr) bool {
			more = append(more, fmt.Sprintf("%s: %v", a.Key, a.Value))
			return true
		})
	}
	text := r.Message
	if len(more) > 0 && r.Level < slog.LevelError {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	switch {
	case r.Level >= slog.LevelError:
		return "pacia: " + text + "\n"
	case r.Level >= slog.LevelWarn:
		return "warning: " + text + "\n"
	case r.Level < slog.LevelInfo:
		return fmt.Sprintf("[%8.3f s] %s\n", since.Seconds(), text)
	}
	return text + "\n"
}

func (l *Log) print(text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := io.WriteString(l.out, text)
	return err
}

// Write implements io.Writer. Its input is lines of text.
func (l *Log) Write(p []byte) (int, error) {
	if !l.Enabled(context.Background(), slog.LevelInfo) {
		return len(p), nil
	}
	if l.text {
		return len(p), l.print(string(p))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, p...)
	for {
		text, rest, whole := bytes.Cut(l.part, []byte{'\n'})
		if !whole {
			return len(p), nil
		}
		if text := strings.TrimSpace(string(text)); text != "" {
			if err := l.json.Handle(context.Background(), slog.NewRecord(time.Now(), slog.LevelInfo, text, 0)); err != nil {
				return 0, err
			}
		}
		l.part = rest
	}
}

// verbose reports whether w is a Log that prints debug records.
func verbose(w io.Writer) bool {
	l, ok := w.(*Log)
	return ok && l.Enabled(context.Background(), slog.LevelDebug)
}

// printRecord prints a line. In JSON, the record has its figures as attributes.
func printRecord(w io.Writer, text string, attrs ...slog.Attr) {
	if l, ok := w.(*Log); ok {
		slog.New(l).LogAttrs(context.Background(), slog.LevelInfo, text, attrs...)
		return
	}
	Say(w, "%s\n", text)
}

// screen returns the output on which bars are drawn: that of a Log, or w.
func screen(w io.Writer) io.Writer {
	if l, ok := w.(*Log); ok {
		return l.out
	}
	return w
}
