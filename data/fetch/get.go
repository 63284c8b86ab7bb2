package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// attempts is how often in a row a transfer may fail without a byte of progress.
	attempts = 4
	// stalled is how long a connection may be silent.
	stalled = time.Minute
)

// longestUnknown is how many bytes are taken of a file whose size nobody gives.
var longestUnknown int64 = 8 << 30

// pause is how long the first failure is waited out; it doubles.
var pause = time.Second

// transfer is one file on its way.
type transfer struct {
	file     File
	path     string // of the whole file; path + ".part" until it is
	progress func(done, total int64)
	reached  int64 // bytes of the file that have been here at most
	restarts int   // how often what was there did not fit the server's file
}

// partial is where a file lies that is not whole. Beside it, in partial + ".etag",
// lies what the server called the version that it is a part of.
func (t *transfer) partial() string { return t.path + ".part" }
func (t *transfer) tag() string     { return t.path + ".part.etag" }

// run gets the file, and goes on after errors that may pass.
func (t *transfer) run(ctx context.Context) error {
	wait := pause
	for failures := 0; ; {
		before := t.reached
		err := t.request(ctx)
		if err == nil {
			if err := os.Rename(t.partial(), t.path); err != nil {
				return err
			}
			return removed(t.tag())
		}
		var final *finalError
		if errors.As(err, &final) || ctx.Err() != nil {
			return err
		}
		if t.reached > before {
			failures, wait = 0, pause
		}
		if failures++; failures == attempts {
			return fmt.Errorf("%s: %w; what came is kept: run this again to go on, or put the file at %s yourself", t.file.URL, plain(err), t.path)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// finalError is an answer that will not change.
type finalError struct{ why string }

func (e *finalError) Error() string { return e.why }

// request asks for what is missing, and writes it behind what is there.
func (t *transfer) request(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	silence := time.AfterFunc(stalled, func() { cancel(fmt.Errorf("no answer for %s", stalled)) })
	defer silence.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.file.URL, nil)
	if err != nil {
		return &finalError{err.Error()}
	}
	request.Header.Set("User-Agent", "pacia")
	request.Header.Set("Accept-Encoding", "identity") // bytes are counted as they lie on the server
	have := size(t.partial())
	if tag, err := os.ReadFile(t.tag()); err == nil && have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		request.Header.Set("If-Range", string(tag))
	} else {
		have = 0 // a part of an unknown version is not continued
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return cause(ctx, err)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusPartialContent && startsAt(response, have):
	case code == http.StatusOK:
		have = 0
	case code == http.StatusPartialContent, code == http.StatusRequestedRangeNotSatisfiable:
		return t.restart(response, have)
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return fmt.Errorf("the server answers %s", response.Status)
	default:
		return &finalError{fmt.Sprintf("%s: the server answers %s; get the file elsewhere and put it at %s", t.file.URL, response.Status, t.path)}
	}
	total := t.file.Size
	if n := response.ContentLength; n >= 0 {
		total = have + n
	}
	if err := t.keepTag(response, have); err != nil {
		return err
	}
	return cause(ctx, t.write(response.Body, have, total, func() { silence.Reset(stalled) }))
}

// startsAt tells whether a part begins where the file here ends.
func startsAt(r *http.Response, have int64) bool {
	return strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have))
}

// restart answers a range that does not fit: the file was whole already, or it
// is another one.
func (t *transfer) restart(r *http.Response, have int64) error {
	_, total, _ := strings.Cut(r.Header.Get("Content-Range"), "/")
	if n, err := strconv.ParseInt(total, 10, 64); err == nil && n == have {
		return nil
	}
	if t.restarts++; t.restarts > 1 {
		return &finalError{fmt.Sprintf("%s: the server gives other parts than asked for; get the file elsewhere and put it at %s", t.file.URL, t.path)}
	}
	return errors.Join(errors.New("the file on the server has changed"), removed(t.partial()), removed(t.tag()))
}

// keepTag remembers the version of the file: its ETag or, where it has none that serves
// for parts, its time (RFC 9110, section 13.1.5).
func (t *transfer) keepTag(r *http.Response, have int64) error {
	if have > 0 {
		return nil
	}
	tag := r.Header.Get("ETag")
	if tag == "" || strings.HasPrefix(tag, "W/") {
		tag = r.Header.Get("Last-Modified")
	}
	if tag == "" {
		return removed(t.tag())
	}
	return os.WriteFile(t.tag(), []byte(tag), 0o600)
}

// write appends to the first have bytes. alive is called whenever some came.
func (t *transfer) write(body io.Reader, have, total int64, alive func()) (err error) {
	f, err := os.OpenFile(t.partial(), os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return &finalError{err.Error()}
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Truncate(have); err != nil {
		return &finalError{err.Error()}
	}
	if _, err := f.Seek(have, io.SeekStart); err != nil {
		return &finalError{err.Error()}
	}
	buffer := make([]byte, 1<<18)
	for {
		n, err := body.Read(buffer)
		if _, full := f.Write(buffer[:n]); full != nil {
			return &finalError{full.Error()} // a disk without room will not get any
		}
		have += int64(n)
		t.reached = max(t.reached, have)
		if have > cmp.Or(max(total, t.file.Size), longestUnknown) {
			endless := &finalError{fmt.Sprintf("%s: the answer has more bytes than the file, and perhaps no end", t.file.URL)}
			return errors.Join(endless, removed(t.partial()))
		}
		alive()
		t.progress(have, total)
		switch {
		case errors.Is(err, io.EOF) && total > 0 && have < total:
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return f.Sync()
		case err != nil:
			return err
		}
	}
}

// cause replaces what a cancelled context says by why it was cancelled.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// plain leaves out the address that an error repeats.
func plain(err error) error {
	if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "Get ") {
		return inner
	}
	return err
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// source returns where the files of a set lie as they were published.
func source(dir, name string) string { return filepath.Join(dir, "source", name) }
