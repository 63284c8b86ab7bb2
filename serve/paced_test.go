package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pacia/serve"
)

// drip sends the header of a request and then single bytes of its body slowly, and returns the answer.
func drip(ctx context.Context, url, path string) (string, error) {
	address, _ := strings.CutPrefix(url, "http://")
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\n"+
		"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n", path, address)
	if err != nil {
		return "", err
	}
	go func() {
		for _, err := c.Write([]byte("a")); err == nil; _, err = c.Write([]byte("a")) {
			time.Sleep(20 * time.Millisecond)
		}
	}()
	if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return "", err
	}
	answer, err := io.ReadAll(c)
	if len(answer) > 0 {
		err = nil // the connection was reset after the answer
	}
	return string(answer), err
}

// TestSlowUploads occupies all places with uploads that send single bytes slowly. Each soon loses its place
// and gets an answer with the reason.
func TestSlowUploads(t *testing.T) {
	url := startWith(t, bare, func(o *serve.Options) { o.Jobs, o.Queue, o.Stall = 1, 1, 300*time.Millisecond })
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			a, err := drip(t.Context(), url, "/v1/rank")
			if err != nil || !strings.Contains(a, " 408 ") || !strings.Contains(a, "too slowly") {
				t.Errorf("an upload of a byte now and then: %q, %v", a, err)
			}
		})
	}
	all.Wait()
	r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"})
	if a := decode(t, r); a.Ranked != 1 {
		t.Errorf("after the slow uploads: %+v", a)
	}
}

// TestARefusedUploadIsAnswered sends a large body to a server without a free place: the client receives the
// answer, not a reset connection.
func TestARefusedUploadIsAnswered(t *testing.T) {
	url := startWith(t, bare, func(o *serve.Options) { o.Jobs, o.Queue, o.MaxUpload = 0, 0, 64e6 })
	for range 5 {
		r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", strings.Repeat("CCO\n", 8e6)})
		if text := body(t, r); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "busy") {
			t.Errorf("%s: %s", r.Status, text)
		}
	}
}

// TestManyOutcomes sends more slow uploads of results at a time than there are places: the last ones are refused.
func TestManyOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, func(o *serve.Options) { o.Stall = 2 * time.Second })
	path := strings.TrimPrefix(ranked(t, url), url) + "/outcome"
	var all sync.WaitGroup
	var slow, busy atomic.Int64
	for range 24 {
		all.Go(func() {
			a, err := drip(t.Context(), url, path)
			switch {
			case err == nil && strings.Contains(a, " 408 "):
				slow.Add(1)
			case err == nil && strings.Contains(a, " 503 "):
				busy.Add(1)
			default:
				t.Errorf("results a byte now and then: %q, %v", a, err)
			}
		})
	}
	all.Wait()
	if busy.Load() == 0 || slow.Load() < 16 {
		t.Errorf("of 24 requests %d are slow, and %d find no place", slow.Load(), busy.Load())
	}
}
