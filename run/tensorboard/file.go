package tensorboard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"pacia/internal/badinput"
)

// File is the event file of a running run.
type File struct {
	f    *os.File
	last float64 // time of the last event
}

// name matches the event files of this package. TensorBoard reads the files of a folder in the
// order of their numbers, seconds since 1970, and follows the last one.
var name = regexp.MustCompile(`^events\.out\.tfevents\.([0-9]{10})\.pacia$`)

// Create makes the event file of a run in dir, with the existing lines of its log. It removes
// earlier event files of this package. The new file has a larger number, so that a running
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
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return nil, refused(err)
			}
		}
	}
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("events.out.tfevents.%010d.pacia", number)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, refused(err)
	}
	events := &File{f: f, last: seconds(now)}
	if err := events.begin(lines); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return events, nil
}

func refused(err error) error {
	return &badinput.Error{What: "cannot write the events for TensorBoard", Err: err, Fix: "choose another output folder"}
}

// begin writes the first two events of a file, and the events of lines.
func (f *File) begin(lines io.Reader) error {
	b := appendRecord(appendRecord(nil, version(f.last)), begins(f.last))
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
	_, err := f.f.Write(b)
	return err
}

// Add appends the event of a line of metrics.jsonl or pretrain.jsonl.
func (f *File) Add(line []byte) error {
	_, err := f.f.Write(f.append(nil, line, seconds(time.Now())))
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
func (f *File) Close() error { return f.f.Close() }
