package rdkit

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// addresses is the limit on the address space of a serving process in bytes, so that RDKit runs
// out of memory before the machine does.
const addresses = 4 << 30

// flushAfter is the longest time that an answer is buffered.
const flushAfter = 100 * time.Millisecond

// Answer appends RDKit's answer to a question of a kind in rdkit.h about a text, with its parameters a and b.
type Answer func(kind byte, text string, a, b int32, to []byte) ([]byte, error)

// Serve answers the questions of another process until its input ends; version is that of RDKit. It
// checks every second that its parent process is alive, and otherwise exits.
func Serve(in io.Reader, out io.Writer, version string, answer Answer) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // they are meant for the parent
	go leaveAlone(os.Getppid())
	limit(syscall.RLIMIT_AS, addresses)
	limit(syscall.RLIMIT_CORE, 0)
	return serve(in, out, version, answer)
}

// limit lowers a limit of this process. An error is ignored.
func limit(of int, to uint64) {
	var l syscall.Rlimit
	if syscall.Getrlimit(of, &l) == nil {
		l.Cur = min(l.Max, to)
		_ = syscall.Setrlimit(of, &l)
	}
}

func leaveAlone(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	os.Exit(0)
}

func serve(in io.Reader, out io.Writer, version string, answer Answer) error {
	r, w := bufio.NewReaderSize(in, window+4096), bufio.NewWriterSize(out, 64<<10)
	if err := writeFrame(w, []byte(greeting+version)); err != nil {
		return err
	}
	var room, frame []byte
	var with string // patterns of the last question
	for written := time.Now(); ; {
		if r.Buffered() == 0 || time.Since(written) > flushAfter {
			if err := w.Flush(); err != nil {
				return err
			}
			written = time.Now()
		}
		var err error
		if room, err = readFrame(r, room); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		q, err := questionOf(room, with)
		if err != nil {
			return err
		}
		with = q.with
		if frame, err = answer(q.kind, q.whole(), q.a, q.b, append(frame[:0], result)); err != nil {
			frame = append(append(frame[:0], refusal), err.Error()...)
		}
		if err := writeFrame(w, frame); err != nil {
			return err
		}
	}
}
