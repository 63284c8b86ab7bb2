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
	Origin  string   // the model and the data it was trained on, in one line
	Version string   // of the program
	Threads int      // of one job; 0: all cores

	Hosts       []string      // names accepted in Host, beside IP addresses; see guard.go
	Loopback    bool          // of the IP addresses, accept only loopback ones
	MaxUpload   int64         // maximum size of a request, in bytes
	MaxRows     int           // maximum number of molecules in a library
	Memory      int64         // maximum memory of all requests together, in bytes
	Jobs        int           // maximum number of running jobs
	Queue       int           // maximum number of waiting jobs
	MaxFinished int           // maximum number of finished jobs whose rows can be requested
	Patience    time.Duration // without requests, after which an unfinished job is cancelled
	Retention   time.Duration // without requests, after which a finished job is removed
	Stall       time.Duration // after which an upload that sends nothing, or little, is refused
}

// Defaults returns the limits of a server on a personal computer.
func Defaults() Options {
	return Options{
		MaxUpload: 64e6, MaxRows: 100_000, Jobs: 1, Queue: 8, MaxFinished: 16, Loopback: true,
		Memory: machineMemory() / 2, Patience: 2 * time.Minute, Retention: 30 * time.Minute, Stall: 10 * time.Second,
	}
}

// maxSupport limits the number of support molecules: with more, adapting takes minutes.
const maxSupport = 2000

// A Server ranks libraries with one model.
type Server struct {
	options Options
	queue   *queue
	memory  *budget
	uploads gate // for files that arrive for a preview or for an outcome
	readers gate // for reading such files
	drawers gate // for drawing molecules
	sorters gate // for selecting and sorting rows
	running sync.WaitGroup
	stop    context.CancelFunc
}

// gate limits the number of requests that do one kind of work at a time. Its capacity is the limit.
type gate chan struct{}

// enter waits for a place. It returns an error if the client goes first.
func (p gate) enter(r *http.Request) error {
	select {
	case p <- struct{}{}:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func (p gate) free() { <-p }

// New returns a server and starts its workers, which Close stops. The caller remains the owner of the model.
func New(o Options) *Server {
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{options: o, queue: newQueue(o), stop: stop,
		uploads: make(gate, 16), readers: make(gate, 2), drawers: make(gate, 2), sorters: make(gate, 2)}
	s.memory = newBudget(o.Memory, s.queue.evict)
	for range o.Jobs {
		// A worker stays on one thread, because libtorch keeps a pool of threads for each thread that calls it.
		s.running.Go(func() {
			_ = ops.Pinned(o.Threads, func() error { s.work(); return nil }) // work returns no error
		})
	}
	s.running.Go(func() { s.queue.sweep(ctx) })
	return s
}

// Close cancels all jobs and waits until they have ended.
func (s *Server) Close() {
	s.stop()
	s.queue.close()
	s.running.Wait()
}

// Handler returns the handler of all requests to the server.
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
		return problem{Status: http.StatusNotFound, What: "there is no " + r.Method + " " + r.URL.Path, Fix: "see docs/serve.md"}
	})
	return s.guarded(mux)
}

// Time limits on the network.
const (
	headerTime   = 10 * time.Second // to receive the header of a request
	uploadTime   = 5 * time.Minute  // to receive its body
	answerTime   = time.Hour        // to answer a request, including its ranking
	downloadTime = 15 * time.Minute // to write a table
	goodbyeTime  = 5 * time.Second  // to finish requests that are under way when the server ends
)

// Serve answers requests on l until ctx ends. Then it cancels all jobs, and closes all connections after
// goodbyeTime at the latest.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug), // about clients that have gone
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
