package serve

import (
	"context"
	"net/http"
	"slices"
	"time"

	"pacia/metrics"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// A state is a stage in the life of a job.
type state int

const (
	arriving state = iota // its files are being received
	waiting
	running
	done
	failed
)

func (s state) over() bool { return s >= done }

func (s state) String() string {
	return [...]string{"arriving", "waiting", "running", "done", "failed"}[s]
}

// A job is the ranking of one library, under way or finished. The queue's lock guards the fields
// after ended.
type job struct {
	id     string
	queue  *queue
	ctx    context.Context // ends when the job is removed
	cancel context.CancelFunc
	form   *form
	ended  chan struct{} // closed when it is over

	state    state
	attended bool // a request waits for it
	removed  bool
	users    int // number of requests that read its result
	entered  time.Time
	ranking  time.Time // when scoring began
	finished time.Time
	touched  time.Time // time of the last request for it
	stage    string
	rows     int // rows of the library scored so far
	total    int // rows of the library
	facts    facts
	problem  *problem
	result   *result
}

// facts are a job's public properties, as they become known.
type facts struct {
	Findings []string               `json:"said,omitempty"` // how the files were interpreted
	Support  *supportFacts          `json:"support,omitempty"`
	Trust    *trust.Figures         `json:"trust,omitempty"`
	Panel    [][2]string            `json:"panel,omitempty"` // Trust in words
	Ranked   *int                   `json:"ranked,omitempty"`
	Unread   *int                   `json:"unread,omitempty"`
	LeftOut  int                    `json:"left_out,omitempty"` // rows excluded by match, exclude and where
	Filters  []ranking.Filtered     `json:"filters,omitempty"`  // what each of them excluded
	Refined  int                    `json:"refined,omitempty"`  // rows scored with vectors of MiniMol; 0: all, or a model without them
	Picked   int                    `json:"picked,omitempty"`
	Expected []metrics.ExpectedHits `json:"expected,omitempty"` // actives among the first molecules
	Batch    *metrics.ExpectedHits  `json:"batch,omitempty"`    // of molecules to measure next
	Lack     string                 `json:"lack,omitempty"`     // why there are fewer of them than were asked for
	Changed  string                 `json:"changed,omitempty"`  // since the previous round
	Columns  []string               `json:"columns,omitempty"`  // the library's own
	Grouped  string                 `json:"grouped,omitempty"`  // the column by which rows are grouped
	Origin   *origin                `json:"origin,omitempty"`   // of saved results
}

type supportFacts struct {
	File     string `json:"file"`
	Column   string `json:"column"`
	Rule     string `json:"rule,omitempty"`
	Inactive int    `json:"inactive"`
	Active   int    `json:"active"`
}

// A status describes a job in answers.
type status struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Stage string `json:"stage,omitempty"` // of a running job: reading, measuring or ranking
	Ahead int    `json:"ahead,omitempty"` // number of jobs before a waiting one
	Rows  int    `json:"rows"`            // scored so far
	Total int    `json:"of"`
	facts
	Seconds   float64  `json:"seconds"`        // since it was sent
	Remaining *float64 `json:"left,omitempty"` // remaining seconds, once they can be estimated
	Model     string   `json:"model"`
	Error     *problem `json:"error,omitempty"`
}

func (s *Server) status(j *job) status {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	v := status{ID: j.id, State: j.state.String(), Rows: j.rows, Total: j.total, facts: j.facts, Model: s.options.Origin, Error: j.problem}
	end := j.finished
	if !j.state.over() {
		end = now()
	}
	v.Seconds = end.Sub(j.entered).Seconds()
	switch j.state {
	case waiting:
		v.Ahead = j.queue.ahead(j)
	case running:
		v.Stage = j.stage
		if j.rows > 0 && !j.ranking.IsZero() {
			left := now().Sub(j.ranking).Seconds() / float64(j.rows) * float64(j.total-j.rows)
			v.Remaining = &left
		}
	}
	return v
}

// update calls change, which sets fields of j, with the queue's lock held.
func (j *job) update(change func()) {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	change()
}

func (j *job) drop() {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	j.cancel()
	j.queue.leave()
}

func (j *job) end(r *result, err error) {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	j.form.close()
	j.finished, j.touched = now(), now()
	j.state, j.result = done, r
	if err != nil {
		p := problemOf(err)
		p.Message = p.Error()
		j.state, j.problem = failed, &p
	}
	j.queue.leave()
	close(j.ended)
	j.free()
}

func (j *job) remove() {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	if j.removed {
		return
	}
	j.removed = true
	delete(j.queue.jobs, j.id)
	j.cancel()
	if j.state == waiting { // no worker will run it
		j.queue.pending = slices.DeleteFunc(j.queue.pending, func(other *job) bool { return other == j })
		j.form.close()
		j.state, j.problem = failed, &cancelled
		j.queue.leave()
		close(j.ended)
	}
	j.free()
}

// free closes the result of a removed job once no request reads it. The caller holds the queue's lock.
func (j *job) free() {
	if j.removed && j.users == 0 && j.result != nil {
		j.result.close()
		j.result = nil
	}
}

// use returns the result of a finished job. The caller calls release when it no longer reads it.
func (j *job) use() (r *result, release func(), err error) {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	switch {
	case j.problem != nil:
		return nil, nil, *j.problem
	case j.result == nil:
		return nil, nil, problem{Status: http.StatusConflict, What: "the job is not done", Fix: "ask for it again until its state is done"}
	}
	j.users++
	return j.result, func() {
		j.update(func() {
			j.users--
			j.free()
		})
	}, nil
}
