package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"pacia/model"
	"pacia/ops"
)

// Options describe a server and its limits.
type Options struct {
	Model   *model.Model
	Tasks   []string // names of its training tasks
	Origin  string   // the model's origin, in a line
	Version string   // of the program
	Threads int      // of one job; 0: all cores

	Hosts     []string      // names by which it may be called, beside addresses; see guard.go
	Loopback  bool          // accept only loopback addresses beside them
	MaxUpload int64         // bytes of a request
	MaxRows   int           // molecules of a library
	Jobs      int           // that run at a time
	Queue     int           // that wait
	Kept      int           // finished ones kept, for rows to be asked for
	Patience  time.Duration // after which a running job that nobody asks for is cancelled
	Keep      time.Duration // after which a finished one is removed
	Stall     time.Duration // after which an upload that sends nothing, or little, is refused
}

// Defaults are the limits of a server on somebody's own machine.
func Defaults() Options {
	return Options{
		MaxUpload: 64e6, MaxRows: 100_000, Jobs: 1, Queue: 8, Kept: 16, Loopback: true,
		Patience: 2 * time.Minute, Keep: 30 * time.Minute, Stall: 10 * time.Second,
	}
}

// maxSupport is how many support molecules are taken: with more, adapting takes minutes.
const maxSupport = 2000

// A Server answers for one model.
type Server struct {
	options Options
	queue   *queue
	uploads places // of files that arrive for a preview, or to compare results with
	readers places // … that are read
	drawers places // of drawings that are made
	sorters places // of requests that choose and sort rows
	running sync.WaitGroup
	stop    context.CancelFunc
}

// places are for a kind of work: so many requests do it at a time.
type places chan struct{}

// take waits for a place, or until the client has gone.
func (p places) take(r *http.Request) error {
	select {
	case p <- struct{}{}:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func (p places) free() { <-p }

// New starts the workers of a server, which Close ends. The model stays the caller's.
func New(o Options) *Server {
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{options: o, queue: newQueue(o), stop: stop,
		uploads: make(places, 16), readers: make(places, 2), drawers: make(places, 2), sorters: make(places, 2)}
	for range o.Jobs {
		// libtorch keeps threads for each thread that calls it: a worker stays on one.
		s.running.Go(func() {
			_ = ops.Pinned(o.Threads, func() error { s.work(); return nil }) // work has none
		})
	}
	s.running.Go(func() { s.queue.sweep(ctx) })
	return s
}

// Close cancels all jobs, and waits for their ends.
func (s *Server) Close() {
	s.stop()
	s.queue.close()
	s.running.Wait()
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h handler) { mux.Handle(pattern, h) }
	s.addPage(mux)
	handle("GET /v1", s.about)
	handle("GET /v1/example", s.example)
	handle("GET /v1/draw", s.draw)
	handle("POST /v1/read", s.read)
	handle("POST /v1/rank", s.rank)
	handle("GET /v1/jobs/{id}", s.job)
	handle("DELETE /v1/jobs/{id}", s.remove)
	handle("GET /v1/jobs/{id}/rows", s.rows)
	handle("GET /v1/jobs/{id}/report.html", s.report)
	handle("POST /v1/jobs/{id}/outcome", s.outcomeOf)
	handle("GET /v1/jobs/{id}/{file}", s.download)
	handle("/v1/", func(_ http.ResponseWriter, r *http.Request) error {
		return problem{Status: http.StatusNotFound, What: "there is no " + r.Method + " " + r.URL.Path, Fix: "docs/serve.md has what there is"}
	})
	return s.guarded(mux)
}

// How long things may take on the network.
const (
	headerTime   = 10 * time.Second // until a request's head is there
	uploadTime   = 5 * time.Minute  // until its body is
	answerTime   = time.Hour        // until a request is answered, its ranking included
	downloadTime = 15 * time.Minute // until a table is written
	goodbyeTime  = 5 * time.Second  // for requests that are under way when the server ends
)

// Serve answers on l until ctx ends, and then ends all work under way.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug), // clients that go away
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.queue.close() // requests that wait for a job get their answer
	bye, cancel := context.WithTimeout(context.Background(), goodbyeTime)
	defer cancel()
	err := web.Shutdown(bye)
	if errors.Is(err, context.DeadlineExceeded) {
		err = web.Close()
	}
	<-ended
	return err
}
