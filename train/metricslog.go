package train

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"syscall"
	"time"

	"pacia/internal/badinput"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
	"pacia/run/tensorboard"
)

// metricsLog appends JSON lines to metrics.jsonl. While it is open it keeps
// other processes from training into the same folder.
type metricsLog struct {
	f       *os.File
	sum     hash.Hash            // SHA-256 of all that the file holds
	size    int64                // of the file, in bytes
	elapsed func() time.Duration // of training until now; nil: lines get no time
	events  *tensorboard.File    // the same for TensorBoard; nil: not written
}

func openMetrics(path string) (*metricsLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, &badinput.Error{What: "cannot write metrics", Err: err, Fix: "choose another output folder"}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &badinput.Error{File: path, What: "another process is training into this folder",
				Fix: "wait for it to end, or choose another output folder"}
		}
		return nil, errors.Join(err, f.Close())
	}
	return &metricsLog{f: f, sum: sha256.New()}, nil
}

// An entry holds the fields that are read from a line. A line describes a step, an
// evaluation, or the evaluation of the selected model.
type entry struct {
	Episode  *int
	Step     *int
	Selected *int
	AUCTest  *float64 `json:"auc_test"`
	Queries  *int
}

func (e *entry) steps() int {
	if e.Step != nil {
		return *e.Step
	}
	return *e.Episode
}

// cut removes the lines logged after the checkpoint p, and an unfinished line: a
// resumed run logs those episodes again. A file with other lines, or one that ends
// before the checkpoint, may belong to something else: it is left unchanged and cut
// returns a *badinput.Error. If the checkpoint has a mark, the kept lines must be
// exactly those of the time of the checkpoint.
func (l *metricsLog) cut(p progress) error {
	if _, err := l.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	known := io.Reader(l.f)
	if p.Metrics != nil {
		known = io.LimitReader(l.f, p.Metrics.Bytes) // the rest is removed
	}
	var keep, at int64
	reached, row := 0, 0
	for lines := bufio.NewReader(known); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // a line without an end was not finished
		}
		if err != nil {
			return err
		}
		at, row = at+int64(len(line)), row+1
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.Episode == nil && e.Selected == nil {
			return &badinput.Error{File: l.f.Name(), Row: row, What: "is not a line that a run writes", Err: err,
				Fix: "the file is damaged or of something else: put back that of the run, or write another --out"}
		}
		if e.Episode == nil || e.steps() > p.steps() {
			continue
		}
		if !e.agrees(p.Last) {
			return l.foreign(fmt.Sprintf("row %d has another result than the checkpoint", row))
		}
		reached, keep = e.steps(), at
	}
	if reached < p.steps() {
		return l.foreign(fmt.Sprintf("it ends with step %d, the checkpoint with %d", reached, p.steps()))
	}
	if err := l.read(keep); err != nil {
		return err
	}
	if now := l.mark(); p.Metrics != nil && now != *p.Metrics {
		return &badinput.Error{File: l.f.Name(), What: "is damaged: up to the checkpoint it is not what the run has written",
			Fix: "put back that of the run, or write another --out"}
	}
	return l.f.Truncate(keep)
}

// read computes the sum of the first size bytes of the file.
func (l *metricsLog) read(size int64) error {
	l.sum.Reset()
	l.size = size
	_, err := io.Copy(l.sum, io.NewSectionReader(l.f, 0, size))
	return err
}

// mark returns the size and the checksum of the file.
func (l *metricsLog) mark() checkpoint.Mark {
	return checkpoint.Mark{Bytes: l.size, SHA256: fmt.Sprintf("%x", l.sum.Sum(nil))}
}

// agrees reports whether the entry has the result of the checkpoint's last evaluation. It is
// true of all entries other than that evaluation.
func (e *entry) agrees(last *rundir.Evaluation) bool {
	if last == nil || e.AUCTest == nil || e.Queries == nil || *e.Episode != last.Episode {
		return true
	}
	return *e.AUCTest == last.AUCTest && *e.Queries == last.Queries
}

func (l *metricsLog) foreign(why string) error {
	return &badinput.Error{File: l.f.Name(), What: "is not of the run that would be resumed: " + why,
		Fix: "put back that of the run, or write another --out"}
}

// add appends one line, in one system call, so that a killed process loses no logged
// line. The time is added here and not in rundir.Evaluation: checkpoints also hold
// evaluations, and must be equal for two runs with one seed.
func (l *metricsLog) add(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if l.elapsed != nil {
		text = fmt.Appendf(text[:len(text)-1], `,"time":%q,"elapsed":%.3f}`, time.Now().UTC().Format(stamp), l.elapsed().Seconds())
	}
	text = append(text, '\n')
	l.sum.Write(text)
	l.size += int64(len(text))
	if _, err = l.f.Write(text); err == nil && l.events != nil {
		err = l.events.Add(text)
	}
	return err
}

// show begins an event file in dir with the lines of the log.
func (l *metricsLog) show(dir string) (err error) {
	l.events, err = tensorboard.Create(dir, io.NewSectionReader(l.f, 0, l.size))
	return err
}

// stamp is RFC 3339 with milliseconds, so that all times have the same length.
const stamp = "2006-01-02T15:04:05.000Z07:00"

// sync flushes the lines to the disk. It must be called before a checkpoint is written.
func (l *metricsLog) sync() error { return l.f.Sync() }

func (l *metricsLog) Close() (err error) {
	if l.events != nil {
		err = l.events.Close()
	}
	return errors.Join(err, l.f.Close())
}
