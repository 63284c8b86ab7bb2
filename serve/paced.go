package serve

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// slowest is the rate, in bytes a second, below which a body arrives too slowly.
const slowest = 8 << 10

var tooSlow = problem{Status: http.StatusRequestTimeout, What: "the files arrive too slowly",
	Fix: "pack them by gzip, or send them from nearer"}

// A paced reader reads a request's body, which must arrive within a time that each byte
// extends: a client that sends a byte now and then soon loses its place.
type paced struct {
	io.ReadCloser
	control  *http.ResponseController
	deadline time.Time // of the next byte
	last     time.Time // of all bytes
	late     bool      // the deadline has passed
}

// newPaced grants stall before the first byte is due.
func newPaced(w http.ResponseWriter, body io.ReadCloser, stall time.Duration) *paced {
	now := time.Now()
	return &paced{ReadCloser: body, control: http.NewResponseController(w), deadline: now.Add(stall), last: now.Add(uploadTime)}
}

func (p *paced) Read(b []byte) (int, error) {
	deadline := p.deadline
	if deadline.After(p.last) {
		deadline = p.last
	}
	_ = p.control.SetReadDeadline(deadline) // the recorders of tests have none
	n, err := p.ReadCloser.Read(b)
	p.late = p.late || errors.Is(err, os.ErrDeadlineExceeded)
	p.deadline = p.deadline.Add(time.Duration(n) * time.Second / slowest)
	return n, err
}

// end lifts the deadline from the connection after the body. It stays behind a body that was
// not read to its end: net/http reads the rest of that before it sends the answer.
func (p *paced) end() { _ = p.control.SetReadDeadline(time.Time{}) }

// unread is for a request that is refused without its body, before the answer. Bytes under way are taken
// in, for a while: a connection that is closed over them may lose the answer.
func (s *Server) unread(w http.ResponseWriter, r *http.Request) {
	paced := newPaced(w, r.Body, s.options.Stall)
	paced.last = time.Now().Add(s.options.Stall)
	if _, rest := io.CopyN(io.Discard, paced, s.options.MaxUpload); errors.Is(rest, io.EOF) {
		paced.end()
	}
}
