package serve

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// slowest is the lowest accepted rate of an upload, in bytes per second.
const slowest = 8 << 10

var tooSlow = problem{Status: http.StatusRequestTimeout, What: "the files arrive too slowly",
	Fix: "pack them by gzip, or send them from nearer"}

// A paced reader reads a request's body under a deadline that each byte extends. A client that
// sends single bytes slowly therefore soon loses its place.
type paced struct {
	io.ReadCloser
	control  *http.ResponseController
	deadline time.Time // for the next byte
	last     time.Time // for the whole body
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
	_ = p.control.SetReadDeadline(deadline) // httptest's recorders have no deadlines
	n, err := p.ReadCloser.Read(b)
	p.late = p.late || errors.Is(err, os.ErrDeadlineExceeded)
	p.deadline = p.deadline.Add(time.Duration(n) * time.Second / slowest)
	return n, err
}

// end removes the deadline from the connection after a body that was read completely. After any other body
// the deadline stays, because net/http reads the rest of the body before it sends the answer.
func (p *paced) end() { _ = p.control.SetReadDeadline(time.Time{}) }

// unread discards the body of a request before the request is refused, for a limited time. If a connection
// is closed while bytes are under way, the client may lose the answer.
func (s *Server) unread(w http.ResponseWriter, r *http.Request) {
	paced := newPaced(w, r.Body, s.options.Stall)
	paced.last = time.Now().Add(s.options.Stall)
	if _, rest := io.CopyN(io.Discard, paced, s.options.MaxUpload+largestSaved); errors.Is(rest, io.EOF) {
		paced.end()
	}
}
