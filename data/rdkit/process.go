package rdkit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is a process that answers questions, of one goroutine at a time.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	reader *bufio.Reader
	writer *bufio.Writer
	frame  []byte // the last frame read
	rdkit  string // the version of RDKit in its greeting
	sent   []byte
	asked  bool       // it has answered questions before
	with   string     // patterns of the last question
	stderr firstWords // the beginning of its standard error
}

// errUnfit is the error for a program that cannot answer questions, so that starting it again is useless.
var errUnfit = errors.New("RDKit is not available")

// tries is the number of times that a process is started if it ends before its greeting.
const tries = 5

// start starts a process and waits for its greeting.
func start(command []string) (*process, error) {
	if _, err := os.Stat(command[0]); err != nil {
		return nil, fmt.Errorf("%w: there is no %s; it belongs beside pacia, or PACIA_RDKIT has its path", errUnfit, command[0])
	}
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	h := &process{cmd: cmd, in: in, out: from, reader: bufio.NewReaderSize(from, 64<<10), writer: bufio.NewWriterSize(in, window)}
	cmd.Stdout, cmd.Stderr = to, &h.stderr
	err = cmd.Start()
	_ = to.Close()
	if err != nil {
		_ = from.Close()
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w: %w", errUnfit, err)
		}
		return nil, err
	}
	first, err := h.read(patience)
	var fits bool
	if h.rdkit, fits = strings.CutPrefix(string(first), greeting); err == nil && !fits {
		err = fmt.Errorf("%w: %s is from another build: it reports %.80q in place of %q", errUnfit, command[0], first, greeting)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command[0], h.end(err))
	}
	return h, nil
}

// ask asks questions that fit a window, and calls take with the answers. got is the number of
// answers. After an error the process must not be used again.
func (h *process) ask(ctx context.Context, questions []question, patience time.Duration, take func(int, []byte, error)) (got int, err error) {
	defer context.AfterFunc(ctx, func() { _ = h.cmd.Process.Kill() })()
	written := make(chan error, 1)
	go func() { written <- h.write(questions) }() // a pipe may hold less than the questions, and less than their answers
	for i := range questions {
		answer, err := h.read(patience)
		if err != nil {
			return i, err
		}
		if len(answer) == 0 {
			return i, errors.New("an empty answer")
		}
		if answer[0] == refusal {
			take(i, nil, errors.New(string(answer[1:])))
			continue
		}
		take(i, answer[1:], nil)
	}
	return len(questions), <-written
}

func (h *process) write(questions []question) error {
	for _, q := range questions {
		h.sent = q.append(h.sent[:0], h.with)
		if q.kind == askStructure {
			h.with = q.with
		}
		if err := writeFrame(h.writer, h.sent); err != nil {
			return err
		}
	}
	return h.writer.Flush()
}

// read returns the next frame, valid until the next call.
func (h *process) read(patience time.Duration) ([]byte, error) {
	if h.reader.Buffered() == 0 {
		if err := h.out.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return nil, err
		}
	}
	var err error
	h.frame, err = readFrame(h.reader, h.frame)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fmt.Errorf("RDKit took more than %v", patience)
	}
	return h.frame, err
}

// end ends the process. It returns err, or an error that describes how the process ended if it had already
// ended by itself.
func (h *process) end(err error) error {
	_ = h.in.Close()
	over := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE)
	if !over {
		_ = h.cmd.Process.Kill()
	}
	_ = h.out.Close()
	ended := h.cmd.Wait()
	if !over || ended == nil {
		return err
	}
	if line := h.stderr.line(); line != "" {
		return fmt.Errorf("RDKit crashed (%s)", line)
	}
	return fmt.Errorf("RDKit crashed (%w)", ended)
}

// firstWords is a writer that keeps the first bytes written to it.
type firstWords struct {
	n    int
	text [200]byte
}

func (f *firstWords) Write(b []byte) (int, error) {
	f.n += copy(f.text[f.n:], b)
	return len(b), nil
}

func (f *firstWords) line() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(f.text[:f.n])), "\n")
	return line
}
