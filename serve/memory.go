package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sync/semaphore"

	"pacia/internal/ui"
	"pacia/model"
	"pacia/screen"
	"pacia/screen/ranking"
)

// Upper estimates of the memory of requests, in bytes.
const (
	jobBytes     = 48 << 20 // of any ranking: sorting, merging, buffers
	supportBytes = 16 << 10 // of a labelled molecule
	reasonBytes  = 32 << 10 // of the reasons of a molecule, which are kept
	cellBytes    = 40       // of a cell that is read or written, beside its text
	reportBytes  = 32 << 20 // of a report with its drawings
	jsonFactor   = 8        // of a body in JSON, relative to its length
)

// rowBytes is that of a ranked row.
const rowBytes = int64(unsafe.Sizeof(entry{})+unsafe.Sizeof(screen.Group{})) + 4*ranking.MostAssays + 2*cellBytes

// How long a request waits for memory that others use, and after how long without a request a result is removed for it.
const memoryWait, memoryRest = 10 * time.Second, time.Minute

// A budget divides the memory of a server among requests.
type budget struct {
	all   int64
	free  *semaphore.Weighted
	evict func() bool // removes a result that nobody asked for lately; false if there is none
}

func newBudget(all int64, evict func() bool) *budget {
	return &budget{all, semaphore.NewWeighted(all), evict}
}

// reserve reserves n bytes, which the caller releases. It first removes results that are kept, then waits for other
// requests. A request that needs more than the whole budget is refused with the advice fix.
func (b *budget) reserve(ctx context.Context, n int64, fix string) error {
	if n > b.all {
		what := "this needs about " + ui.Bytes(n) + " of memory, and all requests together have " + ui.Bytes(b.all)
		return problem{Status: http.StatusRequestEntityTooLarge, What: what, Fix: fix + ", or start the server with another --memory"}
	}
	for !b.free.TryAcquire(n) {
		if b.evict() {
			continue
		}
		wait, stop := context.WithTimeout(ctx, memoryWait)
		err := b.free.Acquire(wait, n)
		if stop(); err == nil {
			return nil
		}
		return errors.Join(ctx.Err(), problem{Status: http.StatusServiceUnavailable, What: "the server's memory is in use by other requests",
			Fix: "try again in a few seconds"})
	}
	return nil
}

// during calls f with n bytes reserved.
func (b *budget) during(ctx context.Context, n int64, fix string, f func() error) error {
	if err := b.reserve(ctx, n, fix); err != nil {
		return err
	}
	defer b.free.Release(n)
	return f()
}

// A size is that of a table.
type size struct {
	rows, columns int
	longest, text int64 // lengths of the longest row, and of all rows together, in bytes
}

// add counts a row.
func (s *size) add(r ranking.Row) {
	s.rows++
	length := int64(0)
	for _, cell := range r.Fields {
		length += int64(len(cell))
	}
	s.longest, s.text = max(s.longest, length), s.text+length
}

// inFlight is the number of chunks of rows that wait or are scored, for each thread (ranking.Stream).
const inFlight = 4

// needs returns the memory of a job, while it runs and of its result.
func (s *Server) needs(f *form, library, past size, support int) (running, result int64) {
	threads := cmp.Or(s.options.Threads, runtime.GOMAXPROCS(0))
	rows := int64(min(library.rows, inFlight*threads*model.QueriesPerBatch(support, s.options.Model.Device())))
	result = int64(library.rows)*rowBytes + int64(min(f.Reasons, library.rows))*reasonBytes + int64(library.columns)*cellBytes
	running = result + jobBytes + int64(support)*supportBytes*int64(1+len(f.files["against"])) +
		rows*int64(library.columns)*cellBytes + min(rows*library.longest, library.text)
	running += int64(past.rows) * (pastBytes + int64(past.columns)*cellBytes)
	if f.file("results") != nil {
		running += largestReasons*100 + int64(library.rows)*2*cellBytes // a description that somebody made
	}
	return running, result
}

// needs returns the memory for answering a query with n rows; whole: their texts are in memory at once.
func (r *result) needs(n int, whole bool) int64 {
	line := int64(len(r.view.Header())) * cellBytes
	all := int64(len(r.entries))*rowBytes + line + r.longest
	if whole {
		all += int64(n)*line + min(int64(n)*r.longest, r.text)
	}
	return all
}
