package loop

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pacia/internal/badinput"
	"pacia/run/tensorboard"
)

// Log appends JSON lines to a file. While it is open it keeps other processes from training into the same folder.
type Log struct {
	*os.File
	Elapsed func() time.Duration // of the run until now; nil: lines get no time

	sum    hash.Hash         // SHA-256 of all that the file holds
	size   int64             // of the file, in bytes
	events *tensorboard.File // the same for TensorBoard; nil: not written
}

// Open opens a log, or makes it. If fresh is set and the file exists, the error is [fs.ErrExist].
func Open(path string, fresh bool) (*Log, error) {
	flags := os.O_RDWR | os.O_CREATE | os.O_APPEND
	if fresh {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case err != nil:
		return nil, &badinput.Error{What: "--out " + filepath.Dir(path) + " cannot be written to", Err: err, Fix: "choose another folder"}
	}
	if err := Lock(f, filepath.Dir(path)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Log{File: f, sum: sha256.New()}, nil
}

// A Mark describes the content of a log when the state of its run was saved. A resumed run continues only from exactly
// that content: even one changed digit is detected.
type Mark struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of these bytes, in hexadecimal digits
}

// Mark returns the size and the checksum of the log.
func (l *Log) Mark() Mark { return Mark{Bytes: l.size, SHA256: fmt.Sprintf("%x", l.sum.Sum(nil))} }

// Cut removes all after the first size bytes. If these are not those of known, it changes nothing and returns a
// *badinput.Error. A nil known is not compared.
func (l *Log) Cut(size int64, known *Mark) error {
	l.sum.Reset()
	l.size = size
	if _, err := io.Copy(l.sum, io.NewSectionReader(l.File, 0, size)); err != nil {
		return err
	}
	if known != nil && l.Mark() != *known {
		return &badinput.Error{File: l.Name(), What: "is damaged: up to the last save it is not what the run has written",
			Fix: "put back that of the run, or write another --out"}
	}
	return l.Truncate(size)
}

// Show begins a file of TensorBoard in dir with the lines of the log.
func (l *Log) Show(dir string) (err error) {
	l.events, err = tensorboard.Create(dir, io.NewSectionReader(l.File, 0, l.size))
	return err
}

// stamp is RFC 3339 with milliseconds, so that all times have the same length.
const stamp = "2006-01-02T15:04:05.000Z07:00"

// Add appends one line, in one system call, so that a killed process loses no logged line. The time is added here, and is
// not part of the line: states hold lines too, and must be equal for two runs with one seed.
func (l *Log) Add(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if l.Elapsed != nil {
		text = fmt.Appendf(text[:len(text)-1], `,"time":%q,"elapsed":%.3f}`, time.Now().UTC().Format(stamp), l.Elapsed().Seconds())
	}
	text = append(text, '\n')
	l.sum.Write(text)
	l.size += int64(len(text))
	if _, err = l.Write(text); err == nil && l.events != nil {
		err = l.events.Add(text)
	}
	return err
}

// Close closes both files, and unlocks the folder.
func (l *Log) Close() (err error) {
	if l.events != nil {
		err = l.events.Close()
	}
	return errors.Join(err, l.File.Close())
}
