package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pacia/config"
	"pacia/internal/child"
	"pacia/internal/each"
)

// grace is the time that a run has for saving after SIGTERM, before it is killed, so that
// all runs end within 10 s.
const grace = 9 * time.Second

// process makes one run in a separate process and returns its final state. It writes
// the state to the disk when the run begins and ends.
func (q *queue) process(ctx context.Context, r Run, device string) (State, error) {
	at := runFiles{q.options.Dir, r.Name}
	lock, err := acquire(ctx, at.lock())
	if err != nil {
		return State{}, err
	}
	defer lock.Close()
	// Another process may have made the run meanwhile.
	if s, err := at.read(); err != nil || s.done(r, at) {
		return s, err
	}
	host, _ := os.Hostname() // information only
	s := State{Run: r.Name, Status: Running, Device: device, Host: host, Episodes: r.Config.Train.Episodes, Begun: time.Now()}
	if err := at.write(s); err != nil {
		return s, err
	}
	q.options.Watch(r, s)
	if err := q.execute(ctx, r, at, lock, &s); err != nil {
		return s, err
	}
	s.Ended = time.Now()
	return s, at.write(s)
}

// execute starts the process, waits for it, and sets the fields of s that describe its end.
func (q *queue) execute(ctx context.Context, r Run, at runFiles, lock *os.File, s *State) error {
	stdout, err := os.OpenFile(at.output(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer stdout.Close()
	// A file, not a pipe: the run may outlive this process while it saves.
	stderr, err := os.OpenFile(at.errors(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer stderr.Close()
	before, err := stderr.Stat()
	if err != nil {
		return err
	}
	args := append(append([]string{}, q.options.Program[1:]...), "train", "--config", at.settings(), "--out", at.folder(), "--resume", "--set", "device="+s.Device)
	if n := q.threads(r, s.Device); n > 0 {
		args = append(args, "--set", "threads="+strconv.Itoa(n))
	}
	c := exec.CommandContext(ctx, q.options.Program[0], args...)
	c.Env = environment()
	c.Stdout, c.Stderr = stdout, stderr
	c.ExtraFiles = []*os.File{lock} // held until the process ends, even if this one ends earlier
	err = child.Run(c, grace)
	s.end(ctx, err, lastLine(stderr, before.Size()))
	return nil
}

// exitInterrupted is the exit code of a run that was interrupted and has saved.
const exitInterrupted = 130

func (s *State) end(ctx context.Context, err error, last string) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		s.Status = Finished
		return
	case errors.As(err, &exit):
		s.Exit = exit.ExitCode()
	default:
		s.Exit = -1
	}
	status, ok := waitStatus(exit)
	interrupted := ok && status.Signaled() && (status.Signal() == syscall.SIGTERM || status.Signal() == syscall.SIGINT)
	if s.Exit == exitInterrupted || interrupted || (ctx.Err() != nil && s.Exit < 0) {
		s.Status = Stopped
		return
	}
	s.Status = Failed
	switch {
	case ok && status.Signaled():
		s.Reason = "killed by " + unix.SignalName(status.Signal())
		if status.Signal() == syscall.SIGKILL {
			s.Reason += " (the machine may have run out of memory)"
		}
	case last != "":
		s.Reason = strings.TrimPrefix(last, "pacia: ")
	default:
		s.Reason = err.Error()
	}
}

func waitStatus(exit *exec.ExitError) (syscall.WaitStatus, bool) {
	if exit == nil {
		return 0, false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return status, ok
}

func lastLine(f *os.File, from int64) string {
	const most = 1 << 16 // bytes
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	from = max(from, info.Size()-most)
	tail := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(tail, from) // a log that cannot be read gives no reason
	text := strings.TrimSpace(string(tail[:n]))
	text = text[strings.LastIndexByte(text, '\n')+1:]
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\r')+1:]) // the last state of a progress bar
}

// acquire waits for the lock of a run: if an earlier sweep was killed, its run may still be
// saving.
func acquire(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func held(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// environment returns the environment without variables of settings. The settings of
// the run already contain their values, and they would override --config.
func environment() []string {
	isSetting := each.Pairs(config.Names(), func(name string) (string, bool) { return config.Variable(name), true })
	var env []string
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); !isSetting[name] {
			env = append(env, pair)
		}
	}
	return env
}
