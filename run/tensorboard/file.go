package tensorboard

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// File is the event file of a running run.
type File struct {
	file *os.File
	last float64 // time of the last event
}

// name matches the event files of this package. TensorBoard reads the files of a folder in the
// order of their numbers, seconds since 1970, and follows the last one.
var name = regexp.MustCompile(`^events\.out\.tfevents\.([0-9]{10})\.pacia$`)

// Create makes the event file of a run in dir, with the existing lines of its log. It removes
// earlier event files that this package wrote. The new file has a larger number, so that a running
// TensorBoard continues with it.
func Create(dir string, lines io.Reader) (*File, error) {
	now := time.Now()
	number := now.Unix()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, refused(err)
	}
	for _, e := range entries {
		if m := name.FindStringSubmatch(e.Name()); m != nil {
			before, _ := strconv.ParseInt(m[1], 10, 64) // digits
			number = max(number, before+1)
			if err := removeWritten(filepath.Join(dir, e.Name())); err != nil {
				return nil, refused(err)
			}
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("events.out.tfevents.%010d.pacia", number))
	events := &File{last: seconds(now)}
	if err := atomicfile.Write(path, func(f *os.File) error { return events.begin(f, lines) }); err != nil {
		return nil, refused(err)
	}
	if events.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, refused(err)
	}
	return events, nil
}

// removeWritten removes a file that begins as Create makes it. Others of such a name stay.
func removeWritten(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	text := make([]byte, len(beginning(0)))
	_, err = io.ReadFull(f, text)
	_ = f.Close() // was only read
	if err != nil || !bytes.Equal(text, beginning(timeOf(text))) {
		return nil //nolint:nilerr // a shorter file is another one
	}
	return os.Remove(path)
}

// beginning returns the first two events of a file.
func beginning(time float64) []byte {
	return appendRecord(appendRecord(nil, version(time)), begins(time))
}

func refused(err error) error {
	return &badinput.Error{What: "cannot write the events for TensorBoard", Err: err, Fix: "choose another output folder"}
}

// begin writes the first two events of a file, and the events of lines.
func (f *File) begin(w io.Writer, lines io.Reader) error {
	b := beginning(f.last)
	for r := bufio.NewReader(lines); ; {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // the end of the file; an unfinished last line is ignored
		}
		if err != nil {
			return err
		}
		b = f.append(b, text, f.last)
	}
	_, err := w.Write(b)
	return err
}

// Add appends the event of a line of metrics.jsonl or pretrain.jsonl.
func (f *File) Add(line []byte) error {
	_, err := f.file.Write(f.append(nil, line, seconds(time.Now())))
	return err
}

func (f *File) append(b, line []byte, now float64) []byte {
	e, is := pretrainingOf(line, now)
	if !is {
		e = eventOf(line, f.last)
	}
	if len(e.values) == 0 {
		return b
	}
	f.last = e.time
	return appendRecord(b, e.encode())
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
