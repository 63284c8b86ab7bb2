package fetch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// A part is the incomplete file FILE.part of a transfer, locked by this process. The sealed note FILE.part.json is
// written before it: without one, a file of that name is somebody else's, and is neither continued nor removed.
type part struct {
	complete string // path of the complete file
	file     *os.File
	note     note
}

type note struct {
	Complete string `json:"part_of"` // name of the complete file
	Version  string `json:"version"` // the server's identifier of it; empty if there is none
}

func partial(path string) string { return path + ".part" }
func noteOf(path string) string  { return partial(path) + ".json" }

// openPart opens the part of a file, or begins one.
func openPart(path string) (*part, error) {
	p := &part{complete: path, note: note{Complete: filepath.Base(path)}}
	began, err := p.began()
	if err == nil && !began {
		err = atomicfile.WriteSealed(noteOf(path), p.note)
	}
	if err != nil {
		return nil, err
	}
	p.file, err = os.OpenFile(partial(path), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, &badinput.Error{File: partial(path), What: "cannot be opened", Err: errors.Unwrap(err),
			Fix: "move it away, and give the command again"}
	}
	info, err := p.file.Stat()
	switch {
	case err == nil && !info.Mode().IsRegular():
		err = foreign(partial(path))
	case err == nil:
		err = p.lock()
	}
	if err != nil {
		return nil, errors.Join(err, p.file.Close())
	}
	return p, nil
}

// began reads the note. It returns an error for a part without one, and for a note of somebody else.
func (p *part) began() (bool, error) {
	_, there := os.Lstat(partial(p.complete)) // before the note: another process writes the note first
	info, err := os.Lstat(noteOf(p.complete))
	switch {
	case errors.Is(err, fs.ErrNotExist) && errors.Is(there, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, foreign(partial(p.complete))
	case err != nil:
		return false, err
	}
	want := p.note.Complete
	if !info.Mode().IsRegular() || atomicfile.ReadSealed(noteOf(p.complete), &p.note) != nil || p.note.Complete != want {
		return false, foreign(noteOf(p.complete))
	}
	return true, nil
}

func foreign(path string) error {
	return &badinput.Error{File: path, What: "is not of a transfer that pacia data fetch began", Fix: "move it away, or remove it"}
}

// lock keeps other processes away. One that has just ended has renamed the file that was opened here.
func (p *part) lock() error {
	busy := &badinput.Error{File: p.complete, What: "another pacia data fetch gets this file", Fix: "wait for it to end"}
	if err := syscall.Flock(int(p.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return busy
	}
	opened, err := p.file.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Lstat(partial(p.complete)); err != nil || !os.SameFile(opened, now) {
		return busy
	}
	return nil
}

// size returns the number of bytes that can be continued: none of an unknown version.
func (p *part) size() int64 {
	info, err := p.file.Stat()
	if err != nil || p.note.Version == "" {
		return 0
	}
	return info.Size()
}

// begin cuts the part to the first have bytes, and notes the version of what follows.
func (p *part) begin(have int64, version string) error {
	if have == 0 && version != p.note.Version {
		if err := p.file.Truncate(0); err != nil { // before the note: the bytes are of another version
			return err
		}
		p.note.Version = version
		if err := atomicfile.WriteSealed(noteOf(p.complete), p.note); err != nil {
			return err
		}
	}
	if err := p.file.Truncate(have); err != nil {
		return err
	}
	_, err := p.file.Seek(have, io.SeekStart)
	return err
}

// end gives the part the name of the complete file.
func (p *part) end() error {
	if err := p.file.Sync(); err != nil {
		return err
	}
	if _, err := os.Lstat(p.complete); err == nil {
		return fmt.Errorf("%s: %w", p.complete, fs.ErrExist)
	}
	if err := os.Rename(partial(p.complete), p.complete); err != nil {
		return err
	}
	return removed(noteOf(p.complete))
}

// discard removes the part and its note.
func (p *part) discard() error {
	return errors.Join(removed(partial(p.complete)), removed(noteOf(p.complete)))
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close closes the part, and removes it if it is empty.
func (p *part) Close() error {
	var err error
	opened, failed := p.file.Stat()
	if now, gone := os.Lstat(partial(p.complete)); failed == nil && gone == nil && os.SameFile(opened, now) && now.Size() == 0 {
		err = p.discard()
	}
	return errors.Join(err, p.file.Close())
}
