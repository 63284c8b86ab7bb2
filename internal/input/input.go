package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"pacia/internal/badinput"
)

// A Kind is a set of accepted types of files.
type Kind int

// Kinds of files.
const (
	Stream  Kind = iota // a regular file, a pipe, a terminal or /dev/null, read once from the start
	Regular             // a regular file, read in any order
)

// A File is an open file. It must not be used by several goroutines at once.
type File struct {
	Name string // as the user wrote it
	Size int64  // in bytes; −1 if not known in advance

	ctx   context.Context
	time  time.Time // of the last change, of a regular file
	file  *os.File
	limit int64
	read  int64
	slow  *slow // reader of a pipe or a terminal; nil for a regular file
}

// Open opens a file of at most limit bytes; 0 means no limit. Errors of Open and of the
// File are *badinput.Error, which name the file and may wrap the error of ctx.
func Open(ctx context.Context, path string, kind Kind, limit int64) (*File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = allowed(path, info, kind)
	}
	if err != nil {
		return nil, Unreadable(path, err)
	}
	file, err := open(ctx, path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	f, err := opened(ctx, path, file, kind, limit)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

func opened(ctx context.Context, path string, file *os.File, kind Kind, limit int64) (*File, error) {
	info, err := file.Stat() // the path may lead to another file since it was checked
	if err == nil {
		err = allowed(path, info, kind)
	}
	if err != nil {
		return nil, Unreadable(path, err)
	}
	f := &File{Name: path, Size: -1, ctx: ctx, file: file, limit: limit}
	if !info.Mode().IsRegular() {
		f.slow = newSlow(file)
		return f, nil
	}
	f.time = info.ModTime()
	if f.Size = info.Size(); limit > 0 && f.Size > limit {
		return nil, f.tooLarge()
	}
	return f, nil
}

// open opens a file. For a named pipe it waits for the other end, until ctx ends.
func open(ctx context.Context, path string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOCTTY, 0)
		done <- result{file, err}
	}()
	select {
	case r := <-done:
		return r.file, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				_ = r.file.Close() // nothing was read
			}
		}()
		return nil, ctx.Err()
	}
}

func allowed(path string, info fs.FileInfo, kind Kind) error {
	refuse := func(what string) error {
		return &badinput.Error{File: path, What: "cannot be read: " + what, Fix: "name a file"}
	}
	mode := info.Mode()
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return syscall.EISDIR
	case kind == Regular:
		return refuse("it is not a regular file")
	case mode&fs.ModeNamedPipe != 0, mode&fs.ModeSocket != 0:
		return nil
	case mode&fs.ModeCharDevice != 0 && (isNull(info) || isTerminal(path)):
		return nil
	}
	return refuse("it is a device")
}

// isNull recognises /dev/null under any name. Reading it is harmless.
func isNull(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Rdev == unix.Mkdev(1, 3)
}

func isTerminal(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return term.IsTerminal(int(f.Fd()))
}

// Read reads the next bytes.
func (f *File) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, Unreadable(f.Name, err)
	}
	if f.limit > 0 && int64(len(p)) > f.limit-f.read+1 {
		p = p[:f.limit-f.read+1] // one byte more than the limit, to detect a larger file
	}
	n, err := f.next(p)
	if f.read += int64(n); f.limit > 0 && f.read > f.limit {
		return 0, f.tooLarge()
	}
	if errors.Is(err, io.EOF) && f.changed() {
		return n, &badinput.Error{File: f.Name, What: "has changed while it was read", Fix: "try again when it is complete"}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = Unreadable(f.Name, err)
	}
	return n, err
}

// changed reports whether a regular file has changed since it was opened.
func (f *File) changed() bool {
	if f.Size < 0 {
		return false
	}
	info, err := f.file.Stat()
	return err == nil && (info.Size() != f.Size || !info.ModTime().Equal(f.time))
}

func (f *File) next(p []byte) (int, error) {
	if f.slow != nil {
		return f.slow.read(f.ctx, p)
	}
	return f.file.Read(p)
}

// ReadAt reads from any offset of a regular file. The limit does not apply.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, Unreadable(f.Name, err)
	}
	n, err := f.file.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		err = Unreadable(f.Name, err)
	}
	return n, err
}

// Fd returns the descriptor of the open file, for a memory map.
func (f *File) Fd() uintptr { return f.file.Fd() }

// Close closes the file.
func (f *File) Close() error {
	if f.slow != nil {
		close(f.slow.stop)
	}
	return f.file.Close()
}

func (f *File) tooLarge() error {
	return &badinput.Error{File: f.Name, What: "is larger than " + size(f.limit), Fix: "name another file"}
}

// size formats a number of bytes, in the largest unit that divides it.
func size(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Unreadable returns err as a *badinput.Error about a file that cannot be read.
func Unreadable(path string, err error) *badinput.Error {
	var known *badinput.Error
	if errors.As(err, &known) {
		return known
	}
	f := &badinput.Error{File: path, What: "cannot be read", Err: err, Fix: "check the file"}
	var system *fs.PathError
	if errors.As(err, &system) {
		f.Err = system.Err // File has the path
	}
	return f
}

// ReadAll returns the content of a file of at most limit bytes.
func ReadAll(ctx context.Context, path string, kind Kind, limit int64) ([]byte, error) {
	f, err := Open(ctx, path, kind, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := make([]byte, 0, max(512, f.Size+1)) // room to detect the end without growing
	for {
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if errors.Is(err, io.EOF) {
			return content, nil
		}
		if err != nil {
			return nil, err
		}
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
	}
}
