package serve

import (
	"fmt"
	"net/http"
	"os"

	"pacia/internal/ordered"
	"pacia/model"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// rank submits a support set and a library as a job. It answers with the job or, if the request
// waits, with the job's result.
func (s *Server) rank(w http.ResponseWriter, r *http.Request) error {
	j, err := s.queue.enter()
	if err != nil {
		s.unread(w, r)
		return err
	}
	f, err := s.body(w, r, largestSaved)
	if err == nil {
		if err = f.check(r.Context()); err != nil {
			f.close()
		}
	}
	if err != nil {
		j.drop()
		return err
	}
	j.attended = f.Wait
	top := f.Top
	s.queue.submit(j, f)
	if !f.Wait {
		w.Header().Set("Location", "/v1/jobs/"+j.id)
		return reply(w, http.StatusAccepted, s.status(j))
	}
	defer j.remove()
	select {
	case <-r.Context().Done():
		return r.Context().Err()
	case <-j.ended:
	}
	return s.answer(w, r, j, top)
}

// answer writes the result of a finished job: a table if the request accepts text/csv, otherwise
// JSON with the first top rows. A negative top means the default number.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, j *job, top int) error {
	res, release, err := j.use()
	if err != nil {
		return err
	}
	defer release()
	if r.Header.Get("Accept") == "text/csv" {
		return s.write(w, r, res, "ranked.csv", query{top: max(top, 0)})
	}
	if top < 0 {
		top = defaultTop
	}
	rows, _, err := res.rows(query{limit: top})
	if err != nil {
		return err
	}
	v := struct {
		status
		First []ordered.Object `json:"first"`
	}{s.status(j), rows}
	v.ID = "" // the job no longer exists
	return reply(w, http.StatusOK, v)
}

// work runs jobs until the queue is closed.
func (s *Server) work() {
	for j := s.queue.next(); j != nil; j = s.queue.next() {
		r, err := s.run(j)
		j.end(r, err)
	}
}

func (s *Server) run(j *job) (res *result, err error) {
	defer func() {
		if p := recover(); p != nil { // a panic in one job must not end the others
			res, err = nil, fmt.Errorf("internal error: %v", p)
		}
	}()
	labels, err := j.form.Labels.Parse()
	if err != nil {
		return nil, err
	}
	support, err := s.support(j.ctx, j.form, labels)
	if err != nil {
		return nil, err
	}
	in := s.filesOf(j, support)
	if in.Names, err = j.form.againstNames(); err != nil {
		return nil, err
	}
	if before := j.form.file("before"); before != nil {
		if in.Earlier, err = s.supportIn(j.ctx, j.form, before, labels); err != nil {
			return nil, err
		}
	}
	of, err := s.measure(j.ctx, j.form, "library")
	if err != nil {
		return nil, err
	}
	past, err := s.measure(j.ctx, j.form, "history")
	if err != nil {
		return nil, err
	}
	running, result := s.needs(j.form, of, past, len(support.SMILES))
	if err := s.memory.reserve(j.ctx, running, "send fewer rows or columns, or ask for fewer reasons"); err != nil {
		return nil, err
	}
	ended := running // memory that the job no longer uses
	defer func() { s.memory.free.Release(ended) }()
	if res, err = s.ranked(j, support, in, of.rows); err != nil {
		return nil, err
	}
	ended, res.release = running-result, func() { s.memory.free.Release(result) }
	return res, nil
}

// filesOf returns the files of a job with a support set.
func (s *Server) filesOf(j *job, support *ranking.Support) screen.Files {
	return screen.Files{
		Library: func(o ranking.Options) (*ranking.Table, error) { return openUploads(j.form.files["library"], o) },
		Assay:   func(i int) (*ranking.Support, error) { return s.readAgainst(j.ctx, j.form, i, support) },
		Past:    s.pastOf(j.form),
	}
}

// ranked ranks the library of a job, which has total molecules.
func (s *Server) ranked(j *job, support *ranking.Support, in screen.Files, total int) (res *result, err error) {
	r, err := screen.Open(&j.form.Request, support, in, j.form.Ranking(), screen.Options{
		SiblingOf: temporary(),
		Progress:  func(rows int) { j.update(func() { j.rows += rows }) },
		Measured: func(p *trust.Panel) {
			figures := p.Figures()
			j.update(func() {
				j.facts.Trust, j.facts.Panel = &figures, p.Lines()
				j.stage, j.ranking = "ranking", now()
			})
		},
	})
	if err != nil {
		return nil, err
	}
	r.Tasks = s.options.Tasks
	if res, err = s.finish(j, r, total); err != nil {
		r.Close()
	}
	return res, err
}

// finish scores the library of a job, which has total molecules. A job with saved results gets these
// instead.
func (s *Server) finish(j *job, r *screen.Ranker, total int) (res *result, err error) {
	inputs, err := j.form.digest()
	if err != nil {
		return nil, err
	}
	var kept *os.File // rows of an earlier ranking
	saved := j.form.file("results") != nil
	read := func() {
		if !saved {
			findings, of := inFields(append(screen.FindingsOfBoth(r.Support, true, r.Table), r.PastRead...)), supportOf(r.Support)
			j.update(func() { j.facts.Findings, j.facts.Support, j.total, j.stage = findings, &of, total, "measuring" })
		}
	}
	members := []*model.Model{s.options.Model}
	err = r.Answer(j.ctx, members, read, func(members []*model.Model) (err error) {
		if saved {
			kept, err = s.restore(j, r, inputs)
			return err
		}
		return r.RankTogether(j.ctx, members, s.options.Threads)
	})
	if err == nil {
		res, err = newResult(r, screen.Shown(r.Support, j.form.Share()), s.options.Model.Traits().Calibrates)
	}
	if err != nil {
		_ = kept.Close() // kept may be nil
		return nil, err
	}
	res.savedRows, res.inputs, res.read = kept, inputs, j.form
	ranked, unread := r.Spill.Len(), r.Invalid.Len()
	j.update(func() {
		if !saved {
			s.answered(&j.facts, r, j.form)
		}
		j.facts.Ranked, j.facts.Unread, j.facts.Columns = &ranked, &unread, r.Table.Header
		if r.Groups != nil {
			j.facts.Grouped = r.Groups.Column
		}
		if r.Spill.Refined {
			j.facts.Refined = r.Refined
		}
		j.facts.Picked, j.facts.LeftOut, j.facts.Expected = len(r.Spill.Picked), r.LeftOut, res.expected.Hits()
		res.facts, res.origin = j.facts, origin{now(), s.options.Version, s.options.Origin, now().Sub(j.entered).Seconds()}
		if j.facts.Origin != nil {
			res.origin = *j.facts.Origin
		}
	})
	return res, nil
}

// answered adds to the facts of a job what its ranking has beside its rows.
func (s *Server) answered(to *facts, r *screen.Ranker, f *form) {
	figures := r.Panel.Figures()
	to.Trust, to.Panel, to.Filters, to.Changed = &figures, r.Panel.Lines(), r.Outcome.Filters, r.Outcome.Changed
	if f.Batch > 0 {
		to.Batch, to.Lack = &r.Outcome.Batch, r.Lack(f.Batch)
	}
}

func supportOf(s *ranking.Support) supportFacts {
	counts := s.Counts()
	f := supportFacts{File: s.File, Column: s.Column, Inactive: counts[0], Active: counts[1]}
	if s.Rule != nil {
		f.Rule = s.Rule.String()
	}
	return f
}

func (s *Server) job(w http.ResponseWriter, r *http.Request) error {
	j, err := s.queue.find(r.PathValue("id"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, s.status(j))
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) error {
	j, err := s.queue.find(r.PathValue("id"))
	if err != nil {
		return err
	}
	j.remove()
	w.WriteHeader(http.StatusNoContent)
	return nil
}
