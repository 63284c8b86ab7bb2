package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"

	"pacia/fault"
)

// metricsLog appends JSON lines to metrics.jsonl. While it is open it keeps
// other processes from training into the same folder.
type metricsLog struct{ f *os.File }

// openMetrics opens or makes the file and locks it.
func openMetrics(path string) (*metricsLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, &fault.Error{What: "cannot write metrics", Err: err, Fix: "choose another output folder"}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &fault.Error{File: path, What: "another process is training into this folder",
				Fix: "wait for it to end, or choose another output folder"}
		}
		return nil, errors.Join(err, f.Close())
	}
	return &metricsLog{f}, nil
}

// cut takes away what was logged after the given episode, and a line that was
// not finished: a resumed run logs those episodes again.
func (l *metricsLog) cut(episode int) error {
	if _, err := l.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var keep int64
	for lines := bufio.NewReader(l.f); ; {
		line, err := lines.ReadBytes('\n')
		var entry struct{ Episode *int }
		if err != nil || json.Unmarshal(line, &entry) != nil || entry.Episode == nil || *entry.Episode > episode {
			break
		}
		keep += int64(len(line))
	}
	return l.f.Truncate(keep)
}

// add appends one line. It is one system call, so that a process that is
// killed loses nothing it has logged.
func (l *metricsLog) add(entry any) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = l.f.Write(append(line, '\n'))
	return err
}

// sync brings the lines to the disk. A checkpoint must not get there first.
func (l *metricsLog) sync() error { return l.f.Sync() }

func (l *metricsLog) Close() error { return l.f.Close() }
