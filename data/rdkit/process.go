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

// process is a process that answers questions, one goroutine's at a time.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	reader *bufio.Reader
	writer *bufio.Writer
	frame  []byte // that was read
	sent   []byte
	asked  bool       // before
	with   string     // patterns of the last question
	said   firstWords // to the standard error
}

// errUnfit is of a program that cannot be what is asked, however often it is started.
var errUnfit = errors.New("no process for RDKit")

// tries is how often a process is started that ends before it has said what it is.
const tries = 5

// start starts one and waits until it has said what it is.
func start(command []string) (*process, error) {
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
	cmd.Stdout, cmd.Stderr = to, &h.said
	err = cmd.Start()
	_ = to.Close()
	if err != nil {
		_ = from.Close()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, exec.ErrNotFound) {
			err = fmt.Errorf("%w: %w", errUnfit, err)
		}
		return nil, err
	}
	said, err := h.read(patience)
	if err == nil && string(said) != greeting() {
		err = fmt.Errorf("%w: %s is of another build: it says %.80q in place of %q", errUnfit, command[0], said, greeting())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command[0], h.end(err))
	}
	return h, nil
}

// ask asks questions that fit a window, and gives the answers to take. got are how many
// came; err says why no more did, and then the process is of no use.
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

// end ends the process, and returns what is to be said of err: how it has ended, if it
// had.
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
	if said := h.said.line(); said != "" {
		return fmt.Errorf("RDKit broke down (%s)", said)
	}
	return fmt.Errorf("RDKit broke down (%w)", ended)
}

// firstWords keeps the beginning of what is written to it.
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
