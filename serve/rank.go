package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// rank takes a support set and a library, and answers with a job or, where the request
// waits for it, with what came of it.
func (s *Server) rank(w http.ResponseWriter, r *http.Request) {
	j, err := s.hall.enter()
	if err != nil {
		refuse(w, err)
		return
	}
	f, err := s.body(w, r)
	if err == nil {
		if err = f.check(); err != nil {
			f.close()
		}
	}
	if err != nil {
		j.drop()
		refuse(w, err)
		return
	}
	j.attended = f.wait
	top := f.top
	s.hall.submit(j, f)
	if !f.wait {
		w.Header().Set("Location", "/v1/jobs/"+j.id)
		reply(w, http.StatusAccepted, s.status(j))
		return
	}
	defer j.remove()
	select {
	case <-r.Context().Done():
		return
	case <-j.ended:
	}
	s.answer(w, r, j, top)
}

// answer is what came of a job at once: a table where that is asked for, or JSON with the
// first rows.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, j *job, top int) {
	res, release, err := j.use()
	if err != nil {
		refuse(w, err)
		return
	}
	defer release()
	if r.Header.Get("Accept") == "text/csv" {
		s.write(w, r, res, "ranked.csv", query{limit: len(res.entries)})
		return
	}
	rows, _, err := res.rows(query{limit: top})
	if err != nil {
		refuse(w, err)
		return
	}
	v := struct {
		status
		First []row `json:"first"`
	}{s.status(j), rows}
	v.ID = "" // there is no job to ask for any more
	reply(w, http.StatusOK, v)
}

// work runs jobs until the hall is closed.
func (s *Server) work() {
	for j := s.hall.next(); j != nil; j = s.hall.next() {
		r, err := s.run(j)
		j.end(r, err)
	}
}

// run ranks the library of a job.
func (s *Server) run(j *job) (res *result, err error) {
	defer func() {
		if p := recover(); p != nil { // one job's trouble is not that of the others
			res, err = nil, fmt.Errorf("internal error: %v", p)
		}
	}()
	labels, err := j.form.labelling.Labels()
	if err != nil {
		return nil, err
	}
	support, err := s.support(j.form, labels)
	if err != nil {
		return nil, err
	}
	total, err := s.count(j.ctx, j.form)
	if err != nil {
		return nil, err
	}
	library, err := j.form.open(j.form.library, true)
	if err != nil {
		return nil, err
	}
	r, err := screen.New(support, library, screen.Options{Beside: temporary(),
		Progress: func(rows int) { j.tell(func() { j.rows += rows }) },
		Measured: func(p *trust.Panel) {
			figures := p.Figures()
			j.tell(func() {
				j.facts.Trust, j.facts.Panel = &figures, p.Lines()
				j.stage, j.ranking = "ranking", now()
			})
		},
	})
	if err != nil {
		return nil, err
	}
	if err := s.through(j, r, labels, total); err != nil {
		r.Close()
		return nil, err
	}
	res, err = newResult(r, screen.Shown(support, j.form.prior))
	if err != nil {
		r.Close()
		return nil, err
	}
	figures, ranked, unread := r.Panel.Figures(), r.Spill.Len(), r.Invalid.Len()
	j.tell(func() {
		j.facts.Trust, j.facts.Panel, j.facts.Ranked, j.facts.Unread, j.facts.Columns = &figures, r.Panel.Lines(), &ranked, &unread, library.Header
		j.facts.Picked = len(r.Spill.Picked)
	})
	return res, nil
}

// through takes a job through the model.
func (s *Server) through(j *job, r *screen.Ranker, labels ranking.Labels, total int) error {
	if err := r.Parse(s.options.Model.Config()); err != nil {
		return err
	}
	said := screen.SaidOfBoth(r.Support, true, r.Table)
	of := supportOf(r.Support, labels)
	j.tell(func() { j.facts.Said, j.facts.Support, j.total, j.stage = said, &of, total, "measuring" })
	if err := r.Rank(j.ctx, s.options.Model, s.options.Threads); err != nil || j.form.diverse == 0 {
		return err
	}
	return r.Pick(j.ctx, j.form.diverse)
}

func supportOf(s *ranking.Support, l ranking.Labels) supportFacts {
	counts := s.Counts()
	f := supportFacts{File: s.File, Column: s.Column, Inactive: counts[0], Active: counts[1]}
	if l.Rule != nil {
		f.Rule = l.Rule.String()
	}
	return f
}

// support reads the support set of a form.
func (s *Server) support(f *form, l ranking.Labels) (*ranking.Support, error) {
	t, err := f.open([]*spool{f.support}, false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	set, err := ranking.SupportOf(t, l)
	if err == nil && len(set.SMILES) > maxSupport {
		err = problem{Status: http.StatusRequestEntityTooLarge, File: set.File, What: fmt.Sprintf("%s: more than %s labelled molecules", set.File, ui.Grouped(maxSupport)),
			Fix: "choose some of them; pacia predict takes any number"}
	}
	return set, err
}

// count returns how many rows the library of a form has.
func (s *Server) count(ctx context.Context, f *form) (n int, err error) {
	t, err := f.open(f.library, true)
	if err != nil {
		return 0, err
	}
	defer t.Close()
	for {
		_, err := t.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, err
		}
		if n++; n > s.options.MaxRows {
			return n, s.tooMany()
		}
	}
}

// job tells how far one is.
func (s *Server) job(w http.ResponseWriter, r *http.Request) {
	j, err := s.hall.find(r.PathValue("id"))
	if err != nil {
		refuse(w, err)
		return
	}
	reply(w, http.StatusOK, s.status(j))
}

// remove cancels or forgets a job.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	j, err := s.hall.find(r.PathValue("id"))
	if err != nil {
		refuse(w, err)
		return
	}
	j.remove()
	w.WriteHeader(http.StatusNoContent)
}
