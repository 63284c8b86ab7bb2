package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pacia/examples"
	"pacia/serve"
)

// left counts the resources that the process holds.
type left struct{ goroutines, files, temporary int }

func leftNow(t *testing.T) left {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc: ", err)
	}
	tmp, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return left{runtime.NumGoroutine(), len(fds), len(tmp)}
}

// settles waits until the process holds no more resources than before.
func settles(t *testing.T, before left) {
	t.Helper()
	var after left
	for range 500 {
		after = leftNow(t)
		if after.goroutines <= before.goroutines && after.files <= before.files && after.temporary <= before.temporary {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("before %+v, after %+v\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
}

// large is a library that does not fit into an upload's memory.
func large() string {
	var b strings.Builder
	b.WriteString("smiles,note\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%sO,%04000d\n", strings.Repeat("C", 1+i%30), i)
	}
	return b.String()
}

// TestACrowd sends a hundred uploads at once; every third client disconnects early. The others get a ranking
// or a message that the server is busy. All resources are released.
func TestACrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Setenv("TMPDIR", t.TempDir())
	url := startWith(t, bare, func(o *serve.Options) { o.Queue = 6 })
	// One ranking creates what is made only once, before resources are counted.
	post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"})
	before := leftNow(t)
	library := large()
	var done, busy, gone atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			text := examples.Library
			if i%25 == 0 {
				text = library
			}
			q := request(t.Context(), t, url+"/v1/rank", field{"support", "s.csv", examples.Support}, field{"library", "l.csv", text})
			if i%3 == 0 { // this client disconnects during its upload, while its job waits, or while it runs
				ctx, stop := context.WithTimeout(t.Context(), time.Duration(i)*5*time.Millisecond)
				defer stop()
				q = q.WithContext(ctx)
				if i%2 == 0 {
					q.Body = io.NopCloser(io.MultiReader(io.LimitReader(q.Body, 3000), until{ctx}))
				}
			}
			r, err := http.DefaultClient.Do(q)
			if err != nil {
				gone.Add(1)
				return
			}
			defer r.Body.Close()
			switch r.StatusCode {
			case http.StatusOK:
				done.Add(1)
			case http.StatusServiceUnavailable:
				busy.Add(1)
				if r.Header.Get("Retry-After") == "" {
					t.Error("a busy server's answer has no Retry-After")
				}
			case http.StatusBadRequest: // the body ended early because its sender disconnected
				gone.Add(1)
			default:
				t.Errorf("%s: %s", r.Status, body(t, r))
			}
		})
	}
	all.Wait()
	t.Logf("%d ranked, %d refused because the server is busy, %d disconnected", done.Load(), busy.Load(), gone.Load())
	if done.Load() == 0 || busy.Load() == 0 || gone.Load() == 0 {
		t.Errorf("%d ranked, %d busy, %d disconnected: want some of each", done.Load(), busy.Load(), gone.Load())
	}
	settles(t, before)
	if a := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"})); a.Ranked != 1 {
		t.Errorf("after the crowd: %+v", a)
	}
}

// until is a reader that returns nothing until its context ends.
type until struct{ ctx context.Context }

func (u until) Read([]byte) (int, error) {
	<-u.ctx.Done()
	return 0, u.ctx.Err()
}

// TestAJobIsCancelled: a running job and one that waits behind it end at once when cancelled, and release all
// resources.
func TestAJobIsCancelled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	url := startWith(t, bare, nil)
	post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"})
	before := leftNow(t)
	library := strings.Repeat(examples.Library, 100)
	library = "smiles\n" + strings.ReplaceAll(library, "smiles\n", "")
	var jobs []string
	for range 2 {
		jobs = append(jobs, url+"/v1/jobs/"+decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", examples.Support}, field{"library", "l.csv", library}, field{name: "wait", value: "false"})).ID)
	}
	for range 1000 {
		if a := decode(t, send(t, http.MethodGet, jobs[0])); a.State == "running" {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if a := decode(t, send(t, http.MethodGet, jobs[1])); a.State != "waiting" {
		t.Fatalf("the second job is %s", a.State)
	}
	if r := send(t, http.MethodGet, jobs[0]+"/rows"); r.StatusCode != http.StatusConflict {
		t.Errorf("the rows of a running job: %s", r.Status)
	}
	for _, job := range []string{jobs[1], jobs[0]} {
		if r := send(t, http.MethodDelete, job); r.StatusCode != http.StatusNoContent {
			t.Errorf("cancelled: %s", r.Status)
		}
		if r := send(t, http.MethodGet, job); r.StatusCode != http.StatusNotFound {
			t.Errorf("after that: %s", r.Status)
		}
	}
	settles(t, before)
}

// TestCancelledJobsGiveUpTheirPlaces: while a long ranking runs, more jobs are sent
// and cancelled than may wait at a time.
func TestCancelledJobsGiveUpTheirPlaces(t *testing.T) {
	url := startWith(t, bare, func(o *serve.Options) { o.Queue = 3 })
	send1 := func(library string) answer {
		return decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", examples.Support}, field{"library", "l.csv", library}, field{name: "wait", value: "false"}))
	}
	long := send1("smiles\n" + strings.Repeat(strings.ReplaceAll(examples.Library, "smiles\n", ""), 400))
	for i := 0; i < 1000 && long.State != "running"; i++ { // it has left the queue
		time.Sleep(5 * time.Millisecond)
		long = decode(t, send(t, http.MethodGet, url+"/v1/jobs/"+long.ID))
	}
	for range 5 {
		var ids []string
		for range 3 {
			a := send1("smiles\nCCO\n")
			if a.State != "waiting" {
				t.Fatalf("behind a long one: %+v", a)
			}
			ids = append(ids, a.ID)
		}
		if a := send1("smiles\nCCO\n"); a.Error == nil || !strings.HasPrefix(a.Error.Message, "the server is busy with 4 rankings; try again") {
			t.Fatalf("one more than may wait: %+v", a)
		}
		for _, id := range ids {
			send(t, http.MethodDelete, url+"/v1/jobs/"+id)
		}
	}
	if r := send(t, http.MethodDelete, url+"/v1/jobs/"+long.ID); r.StatusCode != http.StatusNoContent {
		t.Errorf("the long one: %s", r.Status)
	}
	if a := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"})); a.Ranked != 1 {
		t.Errorf("after that: %+v", a)
	}
}

// TestForgottenJobs: a job without requests is cancelled after a time, and only the latest finished
// jobs are kept.
func TestForgottenJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	serve.SweepEvery(t, 20*time.Millisecond)
	url := startWith(t, bare, func(o *serve.Options) { o.MaxFinished, o.Retention = 2, time.Hour })
	rank := func() string {
		return url + "/v1/jobs/" + decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"}, field{name: "wait", value: "false"})).ID
	}
	var jobs []string
	for range 4 {
		jobs = append(jobs, rank())
	}
	done(t, jobs[3])
	gone := func(job string) bool { return send(t, http.MethodGet, job).StatusCode == http.StatusNotFound }
	time.Sleep(time.Second) // a request in between keeps a job alive
	if !gone(jobs[0]) || !gone(jobs[1]) || gone(jobs[2]) || gone(jobs[3]) {
		t.Error("of four finished jobs not the last two are kept")
	}

	url = startWith(t, bare, func(o *serve.Options) { o.Retention = time.Millisecond })
	job := rank()
	time.Sleep(time.Second)
	if !gone(job) {
		t.Error("a job without requests still exists")
	}
}

// TestTheServerEnds: a server with requests under way ends at once and without an error.
func TestTheServerEnds(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before := leftNow(t)
	t.Run("server", func(t *testing.T) {
		url := startWith(t, bare, nil)
		library := "smiles\n" + strings.Repeat("CCO\nc1ccccc1CCN\n", 40_000)
		decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", examples.Support}, field{"library", "l.csv", library}, field{name: "wait", value: "false"}))
	})
	settles(t, before)
}

// leaver is a client that disconnects after some rows of a download.
type leaver struct {
	http.ResponseWriter
	leave        func()
	writes, last int
}

func (l *leaver) Write(p []byte) (int, error) {
	if l.writes++; l.writes == l.last {
		l.leave()
	}
	return len(p), nil
}

// TestADownloadEndsWithItsClient: a workbook is sent only when it is complete. The server stops making it
// when the client disconnects.
func TestADownloadEndsWithItsClient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m, err := bare()
	if err != nil {
		t.Fatal(err)
	}
	o := serve.Defaults()
	o.Model = m
	s := serve.New(o)
	defer s.Close()
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	job := ranked(t, web.URL)
	ctx, cancel := context.WithCancel(t.Context())
	l := &leaver{ResponseWriter: httptest.NewRecorder(), leave: cancel, last: 10}
	func() {
		defer func() { _ = recover() }()
		s.Handler().ServeHTTP(l, httptest.NewRequestWithContext(ctx, http.MethodGet, job+"/ranked.xlsx", nil))
	}()
	if l.writes != l.last {
		t.Errorf("the client goes at write %d, and %d were made", l.last, l.writes)
	}
}
