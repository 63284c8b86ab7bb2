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
	// attempts is the number of consecutive failures without progress after which a transfer is given up.
	attempts = 4
	// stalled is the longest time without data on a connection.
	stalled = time.Minute
)

// longestUnknown is the largest number of bytes that are read of a file of unknown size.
var longestUnknown int64 = 8 << 30

// pause is the time to wait after the first failure; it doubles each time.
var pause = time.Second

// transfer is the transfer of one file.
type transfer struct {
	file     File
	path     string // of the complete file
	progress func(done, total int64)
	part     *part
	reached  int64 // largest number of bytes of the file that were received
	restarts int   // number of times that the partial file did not match the server's
}

// run gets the file, and continues after temporary errors.
func (t *transfer) run(ctx context.Context) (err error) {
	if t.part, err = openPart(t.path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.part.Close()) }()
	if _, err := os.Lstat(t.path); err == nil {
		return t.part.discard() // another process has got it meanwhile
	}
	wait := pause
	for failures := 0; ; {
		before := t.reached
		err := t.request(ctx)
		if err == nil {
			return t.part.end()
		}
		var final *finalError
		if errors.As(err, &final) || ctx.Err() != nil {
			return err
		}
		if t.reached > before {
			failures, wait = 0, pause
		}
		if failures++; failures == attempts {
			return fmt.Errorf("%s: %w; the part received is kept: run this again to continue, or put the file at %s yourself", t.file.URL, plain(err), t.path)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// finalError is an error for which a retry is useless.
type finalError struct{ why string }

func (e *finalError) Error() string { return e.why }

// request requests the missing bytes, and appends them to the partial file.
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
	request.Header.Set("Accept-Encoding", "identity") // offsets are those of the file on the server
	have := t.part.size()
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		request.Header.Set("If-Range", t.part.note.Version)
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
	if err := t.part.begin(have, versionOf(response)); err != nil {
		return &finalError{err.Error()}
	}
	return cause(ctx, t.write(response.Body, have, total, func() { silence.Reset(stalled) }))
}

// startsAt reports whether a partial response begins at the end of the partial file.
func startsAt(r *http.Response, have int64) bool {
	return strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have))
}

// restart handles a response with a wrong range. Either the file is already complete, or the server
// has another version, and the partial file is removed.
func (t *transfer) restart(r *http.Response, have int64) error {
	_, total, _ := strings.Cut(r.Header.Get("Content-Range"), "/")
	if n, err := strconv.ParseInt(total, 10, 64); err == nil && n == have {
		return nil
	}
	if t.restarts++; t.restarts > 1 {
		return &finalError{fmt.Sprintf("%s: the server does not send the requested part; get the file elsewhere and put it at %s", t.file.URL, t.path)}
	}
	return errors.Join(errors.New("the file on the server has changed"), t.part.begin(0, ""))
}

// versionOf returns the version of the file: its ETag or, without a strong one, its time of modification
// (RFC 9110, section 13.1.5).
func versionOf(r *http.Response) string {
	if tag := r.Header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return r.Header.Get("Last-Modified")
}

// write appends body to the part, which has so many bytes. It calls alive after each read.
func (t *transfer) write(body io.Reader, have, total int64, alive func()) error {
	buffer := make([]byte, 1<<18)
	for {
		n, err := body.Read(buffer)
		if _, full := t.part.file.Write(buffer[:n]); full != nil {
			return &finalError{full.Error()} // such as a full disk
		}
		have += int64(n)
		t.reached = max(t.reached, have)
		if have > cmp.Or(max(total, t.file.Size), longestUnknown) {
			endless := &finalError{fmt.Sprintf("%s: the answer has more bytes than the file, and perhaps no end", t.file.URL)}
			return errors.Join(endless, t.part.begin(0, ""))
		}
		alive()
		t.progress(have, total)
		switch {
		case errors.Is(err, io.EOF) && total > 0 && have < total:
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// cause returns the cause of a cancelled context in place of its error.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// plain removes the address, which the caller's message already has, from an error.
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

// source returns the path of a file of a set as it was published.
func source(dir, name string) string { return filepath.Join(dir, "source", name) }
