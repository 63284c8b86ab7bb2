package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"

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
		First []row `json:"first"`
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
	if err := s.able(j.form); err != nil {
		return nil, err
	}
	support, err := s.support(j.ctx, j.form, labels)
	if err == nil && j.form.file("before") != nil {
		j.earlier, err = s.supportIn(j.ctx, j.form, j.form.file("before"), labels)
	}
	if err != nil {
		return nil, err
	}
	of, err := s.measure(j.ctx, j.form)
	if err != nil {
		return nil, err
	}
	running, result := s.needs(j.form, of, len(support.SMILES))
	if err := s.memory.take(j.ctx, running, "send fewer rows or columns, or ask for fewer reasons"); err != nil {
		return nil, err
	}
	ended := running // memory that the job no longer uses
	defer func() { s.memory.free.Release(ended) }()
	if res, err = s.ranked(j, support, of.rows); err != nil {
		return nil, err
	}
	ended, res.release = running-result, func() { s.memory.free.Release(result) }
	return res, nil
}

// ranked ranks the library of a job, which has total molecules.
func (s *Server) ranked(j *job, support *ranking.Support, total int) (res *result, err error) {
	library, err := j.form.open(j.form.files["library"], true, j.form.Wanted())
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(columnThere(j.form, support, library), refused(screen.CheckGroup(library, j.form.Group))); err != nil {
		return nil, errors.Join(err, library.Close())
	}
	r, err := screen.New(support, library, screen.Options{
		SiblingOf: temporary(), Refine: j.form.Refine, Reasons: j.form.Reasons, Prior: j.form.Share(),
		Progress: func(rows int) { j.update(func() { j.rows += rows }) },
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
	names, err := j.form.againstNames()
	if err == nil {
		err = r.ReadAgainst(names, func(i int) (*ranking.Support, error) { return s.readAgainst(j.ctx, j.form, i, support) })
	}
	if err == nil {
		res, err = s.finish(j, r, total)
	}
	if err != nil {
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
	if j.form.file("results") != nil {
		kept, err = s.restore(j, r, inputs)
	} else {
		err = s.through(j, r, total)
	}
	shown := screen.Shown(r.Support, j.form.Share())
	if err == nil && j.form.Group != "" {
		err = refused(r.Group(j.form.Group, s.calibrated(shown)))
	}
	if err == nil {
		res, err = newResult(r, shown, s.options.Model.Traits().Calibrates)
	}
	if err != nil {
		_ = kept.Close() // kept may be nil
		return nil, err
	}
	res.kept, res.inputs, res.read = kept, inputs, j.form
	ranked, unread := r.Spill.Len(), r.Invalid.Len()
	j.update(func() {
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

func (s *Server) through(j *job, r *screen.Ranker, total int) error {
	if err := r.Parse(j.ctx, s.options.Model); err != nil {
		return err
	}
	findings := inFields(screen.FindingsOfBoth(r.Support, true, r.Table))
	of := supportOf(r.Support)
	j.update(func() { j.facts.Findings, j.facts.Support, j.total, j.stage = findings, &of, total, "measuring" })
	if err := r.Rank(j.ctx, s.options.Model, s.options.Threads); err != nil {
		return err
	}
	figures := r.Panel.Figures()
	j.update(func() { j.facts.Trust, j.facts.Panel = &figures, r.Panel.Lines() })
	if err := r.Readable(j.ctx); err != nil {
		return err
	}
	filters, err := r.Filters(j.ctx)
	if err != nil {
		return err
	}
	j.update(func() { j.facts.Filters = filters })
	if j.form.Diverse > 0 {
		return r.Pick(j.ctx, j.form.Diverse)
	}
	return s.next(j, r)
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
