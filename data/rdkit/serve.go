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

// Serve answers the questions of another process (see [Apart]) until its input ends. It
// checks every second that its parent process is alive, and otherwise exits.
func Serve(in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // they are meant for the parent
	go leaveAlone(os.Getppid())
	limit(syscall.RLIMIT_AS, addresses)
	limit(syscall.RLIMIT_CORE, 0)
	return serve(in, out, question.answer)
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

func serve(in io.Reader, out io.Writer, answer func(question, *Parser, []byte) ([]byte, error)) error {
	r, w := bufio.NewReaderSize(in, window+4096), bufio.NewWriterSize(out, 64<<10)
	if err := writeFrame(w, []byte(greeting())); err != nil {
		return err
	}
	p := Parser{thorough: true}
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
		if frame, err = answer(q, &p, append(frame[:0], result)); err != nil {
			frame = append(append(frame[:0], refusal), err.Error()...)
		}
		if err := writeFrame(w, frame); err != nil {
			return err
		}
	}
}
