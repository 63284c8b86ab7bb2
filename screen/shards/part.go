package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// file returns the path of a file of a part.
func (p *Plan) file(part int, kind string) string {
	return filepath.Join(p.dir, fmt.Sprintf("%04d.%s", part, kind))
}

// Files of a part. The file of counts is written last: once it exists, the part is complete.
const (
	rowsKind   = "rows"
	unreadKind = "unread.csv"
	countsKind = "json"
)

// Done reports whether a part is complete.
func (p *Plan) Done(part int) bool {
	_, err := os.Stat(p.file(part, countsKind))
	return err == nil
}

// Todo returns the parts that are not complete.
func (p *Plan) Todo() (todo []int) {
	for i := range p.Parts {
		if !p.Done(i) {
			todo = append(todo, i)
		}
	}
	return todo
}

// Job returns the latest job to which parts were submitted; empty if there was none.
func (p *Plan) Job() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, jobFile)) // on errors, parts are submitted again
	return strings.TrimSpace(string(text))
}

// SetJob records the job to which parts were submitted.
func (p *Plan) SetJob(job string) error {
	return atomicfile.WriteBytes(filepath.Join(p.dir, jobFile), []byte(job+"\n"))
}

const jobFile, lockFile = "job", "lock"

// Hold locks a part until the file is closed, so that no other process ranks it. It waits while another process
// holds the lock.
func (p *Plan) Hold(ctx context.Context, part int) (*os.File, error) {
	return lock(ctx, p.file(part, "lock"), true)
}

// Alone makes the folder and locks it against other commands until the file is closed.
func Alone(ctx context.Context, dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &badinput.Error{What: "cannot make the folder of the parts", Err: err, Fix: "choose another --out"}
	}
	if err := claimFolder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, logsFolder), 0o777); err != nil {
		return nil, &badinput.Error{What: "cannot make the folder of the logs", Err: err, Fix: "choose another --out"}
	}
	f, err := lock(ctx, filepath.Join(dir, lockFile), false)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = &badinput.Error{File: dir, What: "another pacia predict is at work in this folder", Fix: "wait for it to end, or choose another --out"}
	}
	return f, err
}

// lock locks a file until it is closed or the process ends. If the file is locked, lock waits or, without wait,
// returns an error.
func lock(ctx context.Context, path string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR), wait && errors.Is(err, syscall.EWOULDBLOCK):
		default:
			return nil, errors.Join(&fs.PathError{Op: "lock", Path: path, Err: err}, f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Store writes the result of a part.
func (p *Plan) Store(part int, r *screen.Ranker, most ranking.RowLimit) error {
	var result screen.Stored
	err := atomicfile.Write(p.file(part, rowsKind), func(rows *os.File) error {
		return atomicfile.Write(p.file(part, unreadKind), func(unread *os.File) (err error) {
			result, err = r.Store(rows, unread, most)
			return err
		})
	})
	if err != nil {
		return err
	}
	return atomicfile.WriteSealed(p.file(part, countsKind), result)
}

// Gather opens the results of all parts. The files must be closed after the ranker that reads them.
func (p *Plan) Gather() (all []screen.Gathered, files []*os.File, err error) {
	for i := range p.Parts {
		var g screen.Gathered
		if err := atomicfile.ReadSealed(p.file(i, countsKind), &g.Stored); err != nil {
			return nil, files, p.damaged(i, err)
		}
		rows, err := os.Open(p.file(i, rowsKind))
		if err != nil {
			return nil, files, p.damaged(i, err)
		}
		files = append(files, rows)
		unread, err := os.Open(p.file(i, unreadKind))
		if err != nil {
			return nil, files, p.damaged(i, err)
		}
		files = append(files, unread)
		g.Rows, g.Unreadables = rows, unread
		all = append(all, g)
	}
	return all, files, nil
}

func (p *Plan) damaged(part int, err error) error {
	return &badinput.Error{File: p.file(part, countsKind), What: "what was kept of the part cannot be read", Err: err, Fix: "remove this file: the same command ranks the part again"}
}
