package fetch

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
)

// server serves one file. Its first responses may be replaced by a test.
type server struct {
	content  []byte
	etag     string
	modified time.Time
	ranges   []string                                            // of the requests so far
	trouble  []func(w http.ResponseWriter, r *http.Request) bool // for request i; returns false to serve the file after all
	requests int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	s.requests++
	if i := s.requests - 1; i < len(s.trouble) && s.trouble[i](w, r) {
		return
	}
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	http.ServeContent(w, r, "", s.modified, bytes.NewReader(s.content))
}

// cut sends the first n bytes of the file and drops the connection.
func (s *server) cut(n int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.content)))
		w.Header().Set("ETag", s.etag)
		if !s.modified.IsZero() {
			w.Header().Set("Last-Modified", s.modified.Format(http.TimeFormat))
		}
		_, _ = w.Write(s.content[:n])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func answers(code int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(code)
		return true
	}
}

// start returns a set with one file on a server, and a folder for it.
func start(t *testing.T, s *server) (Set, string) {
	t.Helper()
	pause = time.Millisecond
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	none := func(context.Context, string, []File) ([]string, error) { return nil, nil }
	return Set{"set", "set", []File{{Name: "file", URL: h.URL + "/file"}}, none}, t.TempDir()
}

func fetch(set Set, dir string) (Checksum, error) {
	var sum Checksum
	_, err := set.Fetch(context.Background(), dir, Options{
		Progress: func(string, int64, int64) {},
		Fetched:  func(_ string, _ int64, c Checksum) { sum = c },
	})
	return sum, err
}

func content(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

// has checks the file, and that the folder contains nothing else.
func has(t *testing.T, dir string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(source(dir, "file"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes (%v), want the %d of the server", len(got), err, len(want))
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "source")); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestGoesOnAfterACut(t *testing.T) {
	s := &server{content: content(300_000), etag: `"v1"`}
	s.trouble = []func(http.ResponseWriter, *http.Request) bool{s.cut(100_000), answers(503), answers(503)}
	set, dir := start(t, s)
	sum, err := fetch(set, dir)
	if err != nil {
		t.Fatal(err)
	}
	has(t, dir, s.content)
	if want := []string{"", "bytes=100000-", "bytes=100000-", "bytes=100000-"}; !slices.Equal(s.ranges, want) {
		t.Errorf("requested %q, want %q", s.ranges, want)
	}
	if len(sum.SHA256) != 64 || sum.Checked {
		t.Errorf("%+v, want an unchecked SHA-256", sum)
	}
	if _, err := fetch(set, dir); err != nil || s.requests != 4 {
		t.Errorf("fetched again with %d requests (%v)", s.requests-4, err)
	}
}

// TestAnAnswerWithoutEnd: an endless response is given up, and nothing of it is kept.
func TestAnAnswerWithoutEnd(t *testing.T) {
	before := longestUnknown
	longestUnknown = 1 << 20
	defer func() { longestUnknown = before }()
	s := &server{content: content(1000)}
	set, dir := start(t, s)
	s.trouble = []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
		for r.Context().Err() == nil {
			if _, err := w.Write(s.content); err != nil {
				break
			}
		}
		return true
	}}
	if _, err := fetch(set, dir); err == nil || !strings.Contains(err.Error(), "more bytes than the file") {
		t.Error(err)
	}
	if _, err := os.Stat(source(dir, "file") + ".part"); err == nil {
		t.Error("a part is kept")
	}
}

// TestGoesOnInALaterCall: the part received is kept if the server fails. A later call continues it if
// the server gives the file's version or time.
func TestGoesOnInALaterCall(t *testing.T) {
	then := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		etag     string
		modified time.Time
		want     string // range of the later call
	}{
		{`"v1"`, time.Time{}, "bytes=100000-"},
		{"", then, "bytes=100000-"},
		{`W/"v1"`, then, "bytes=100000-"},
		{"", time.Time{}, ""},
		{`W/"v1"`, time.Time{}, ""},
	} {
		s := &server{content: content(300_000), etag: c.etag, modified: c.modified}
		s.trouble = []func(http.ResponseWriter, *http.Request) bool{answers(500), s.cut(100_000)}
		for range attempts - 1 {
			s.trouble = append(s.trouble, answers(500))
		}
		set, dir := start(t, s)
		if _, err := fetch(set, dir); err == nil || !strings.HasSuffix(err.Error(),
			"/file: the server answers 500 Internal Server Error; the part received is kept: run this again to continue, or put the file at "+source(dir, "file")+" yourself") {
			t.Fatalf("got %v", err)
		}
		s.ranges = nil
		if _, err := fetch(set, dir); err != nil {
			t.Fatal(err)
		}
		has(t, dir, s.content)
		if !slices.Equal(s.ranges, []string{c.want}) {
			t.Errorf("ETag %s, time %v: requested %q, want %q", c.etag, c.modified, s.ranges, c.want)
		}
	}
}

// TestAWholePart: a complete partial file is renamed without another transfer.
func TestAWholePart(t *testing.T) {
	s := &server{content: content(300_000), etag: `"v1"`}
	set, dir := start(t, s)
	begun(t, dir, s.etag, s.content)
	if _, err := fetch(set, dir); err != nil {
		t.Fatal(err)
	}
	has(t, dir, s.content)
	if want := []string{"bytes=300000-"}; !slices.Equal(s.ranges, want) {
		t.Errorf("requested %q, want %q", s.ranges, want)
	}
}

// TestStartsAgainWithAnotherFile: parts of two versions are never joined, even if the server gives no
// version.
func TestStartsAgainWithAnotherFile(t *testing.T) {
	for _, etag := range []string{`"v1"`, ""} {
		s := &server{content: content(300_000), etag: etag}
		changed := func(http.ResponseWriter, *http.Request) bool {
			s.content, s.etag = bytes.Repeat([]byte("new "), 70_000), strings.ReplaceAll(s.etag, "1", "2")
			return false
		}
		s.trouble = []func(http.ResponseWriter, *http.Request) bool{s.cut(250_000), changed}
		set, dir := start(t, s)
		if _, err := fetch(set, dir); err != nil {
			t.Fatal(err)
		}
		has(t, dir, s.content)
	}
}

func TestRefusals(t *testing.T) {
	s := &server{content: content(1000)}
	set, dir := start(t, s)
	s.trouble = []func(http.ResponseWriter, *http.Request) bool{answers(404)}
	url := set.Files[0].URL
	_, err := fetch(set, dir)
	if want := url + ": the server answers 404 Not Found; get the file elsewhere and put it at " + source(dir, "file"); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if s.requests != 1 {
		t.Errorf("%d requests for a file that does not exist", s.requests)
	}
	sum := md5.Sum(s.content)
	set.Files[0].MD5 = hex.EncodeToString(sum[:])
	if c, err := fetch(set, dir); err != nil || !c.Checked {
		t.Errorf("right checksum: %+v (%v)", c, err)
	}
	set.Files[0].SHA256 = strings.Repeat("0", 64)
	_, err = fetch(set, dir)
	if err == nil || !strings.Contains(err.Error(), "file: its SHA-256 is ") ||
		!strings.HasSuffix(err.Error(), ", expected "+set.Files[0].SHA256+"; remove it and fetch it again, or keep it with --unchecked") {
		t.Errorf("wrong checksum: %v", err)
	}
	set.Files[0].SHA256, set.Files[0].Size = "", 999
	if _, err = fetch(set, dir); err == nil || !strings.Contains(err.Error(), "file: 1000 bytes, expected 999;") {
		t.Errorf("wrong size: %v", err)
	}
	set.Files[0].URL = "http://127.0.0.1:1/file"
	if err := os.Remove(source(dir, "file")); err != nil {
		t.Fatal(err)
	}
	_, err = fetch(set, dir)
	if err == nil || !strings.HasPrefix(err.Error(), "http://127.0.0.1:1/file: dial tcp 127.0.0.1:1: connect: connection refused; the part received is kept") ||
		strings.Contains(err.Error(), "\n") || badinput.Is(err) {
		t.Errorf("no server: %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{content: content(300_000), etag: `"v1"`}
	s.trouble = []func(http.ResponseWriter, *http.Request) bool{func(_ http.ResponseWriter, r *http.Request) bool {
		cancel()
		<-r.Context().Done()
		return true
	}}
	set, dir := start(t, s)
	if _, err := set.Fetch(ctx, dir, Options{}); err == nil || s.requests != 1 {
		t.Errorf("%d requests, error %v; want one and an error", s.requests, err)
	}
}
