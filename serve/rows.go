package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/ordered"
	"pacia/screen/ranking"
)

// A query selects rows of a result and their order.
type query struct {
	sort       string // rank, name, similarity, one of a column of the ranked table, or a column of the library
	descending bool
	domain     string   // inside, outside; empty: both
	least      float32  // similarity
	most       *float32 // nil: any
	known      string   // "no": only molecules outside the support set
	picks      string   // "only": only picked molecules
	groups     string   // "first": one row of each group
	text       string   // in the name or the SMILES, in any case
	where      []string // conditions on columns
	offset     int
	limit      int
	top        int // maximum number of rows in a file; 0: all
}

// pageRows is the default number of rows in an answer, mostRows the maximum.
const pageRows, mostRows = 50, 500

// parameters are the names of those that select rows.
var parameters = []string{"sort", "order", "domain", "min_similarity", "max_similarity", "support", "picks", "groups",
	"q", "where", "offset", "limit", "top"}

func queryOf(v url.Values) (q query, err error) {
	for name := range v {
		if !slices.Contains(parameters, name) {
			what := "no parameter is called " + quote(name)
			return q, problem{Status: http.StatusBadRequest, What: what, Fix: "write " + strings.Join(parameters, ", ")}
		}
	}
	q = query{sort: v.Get("sort"), descending: v.Get("order") == "desc", domain: v.Get("domain"), known: v.Get("support"), picks: v.Get("picks"), groups: v.Get("groups"),
		text: strings.ToLower(strings.TrimSpace(v.Get("q"))), where: v["where"], limit: pageRows}
	get := func(name string, least, most float64, set func(float64)) {
		text := v.Get(name)
		if text == "" || err != nil {
			return
		}
		n, wrong := strconv.ParseFloat(text, 64)
		if wrong != nil || !(n >= least && n <= most) {
			err = outside(name, text, least, most)
			return
		}
		set(n)
	}
	get("offset", 0, 1e9, func(n float64) { q.offset = int(n) })
	get("limit", 1, mostRows, func(n float64) { q.limit = int(n) })
	get("top", 0, 1e9, func(n float64) { q.top = int(n) })
	get("min_similarity", 0, 1, func(n float64) { q.least = float32(n) })
	get("max_similarity", 0, 1, func(n float64) { most := float32(n); q.most = &most })
	for _, one := range []struct {
		name    string
		choices []string
	}{
		{"domain", []string{"inside", "outside"}}, {"order", []string{"asc", "desc"}}, {"support", []string{"no"}}, {"picks", []string{"only"}}, {"groups", []string{"first"}},
	} {
		if value := v.Get(one.name); value != "" && !slices.Contains(one.choices, value) {
			err = wrongField(one.name, value, "write "+strings.Join(one.choices, " or "))
		}
	}
	return q, err
}

func outside(name, text string, least, most float64) error {
	return wrongField(name, text, "write a number from "+strconv.FormatFloat(least, 'f', -1, 64)+" to "+strconv.FormatFloat(most, 'f', -1, 64))
}

// number parses the value of a field as an integer from least to most.
func number(name, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, outside(name, text, float64(least), float64(most))
	}
	return n, nil
}

// rows returns a page of the rows that q selects, and the number of all these rows.
func (r *result) rows(q query) (page []ordered.Object, of int, err error) {
	chosen, err := r.choose(q)
	if err != nil {
		return nil, 0, err
	}
	page = []ordered.Object{}
	for _, e := range chosen[min(q.offset, len(chosen)):min(q.offset+q.limit, len(chosen))] {
		one, err := r.row(e)
		if err != nil {
			return nil, 0, err
		}
		page = append(page, one)
	}
	return page, len(chosen), nil
}

// row returns the members of a row: the columns of the ranked table, and those of the library.
func (r *result) row(e entry) (ordered.Object, error) {
	var err error
	if e.Cells, err = r.ranker.Spill.CellsAt(&e.Ranked); err != nil {
		return nil, err
	}
	t, cells := r.ranker.Table, e.Cells.All(len(r.ranker.Table.Header))
	all := r.view.Members(&e.Ranked)
	if name := t.NameOf(cells); name != "" {
		all = append(all, ordered.Member{Name: "name", Value: name})
	}
	return append(all, ordered.Member{Name: "smiles", Value: strings.TrimSpace(cells[t.SMILES])}, ordered.Member{Name: "cells", Value: cells}), nil
}

func domainOf(e entry) string { return ranking.Domain(e.Near) }

// choose returns the rows that q selects, in its order. Rows that compare equal stay in the order of ranks.
func (r *result) choose(q query) ([]entry, error) {
	var chosen []entry
	where, err := r.ranker.Table.Where(q.where)
	if err != nil {
		return nil, refused(err)
	}
	if q.groups != "" && r.ranker.Groups == nil {
		return nil, problem{Status: http.StatusBadRequest, What: "the rows are not grouped",
			Fix: "leave out groups, or rank with group, such as scaffold"}
	}
	for _, e := range r.entries {
		if r.near() && (q.domain != "" && domainOf(e) != q.domain || e.similarity() < q.least || q.most != nil && e.similarity() > *q.most) ||
			q.known == "no" && e.Mark != 0 || q.picks == "only" && r.ranker.Spill.Picked[e.Number] == 0 {
			continue
		}
		if q.text != "" || len(q.where) > 0 || q.groups != "" {
			stored, err := r.ranker.Spill.CellsAt(&e.Ranked)
			if err != nil {
				return nil, err
			}
			t := r.ranker.Table
			cells := stored.All(len(t.Header))
			holds := where.Holds(cells)
			if !strings.Contains(strings.ToLower(t.NameOf(cells)), q.text) && !strings.Contains(strings.ToLower(cells[t.SMILES]), q.text) {
				continue
			}
			if !holds {
				continue
			}
			if q.groups != "" {
				if group := r.ranker.Groups.Group(stored); group != nil && group.Best != e.Rank {
					continue
				}
			}
		}
		chosen = append(chosen, e)
	}
	if err := where.Check(); err != nil {
		return nil, refused(err)
	}
	return chosen, r.order(chosen, q)
}

// rows answers with a page of a job's rows.
func (s *Server) rows(w http.ResponseWriter, r *http.Request) error {
	res, q, release, err := s.asked(r)
	if err != nil {
		return err
	}
	defer release()
	var page []ordered.Object
	var of int
	if err := s.sorting(r, res.needs(q.limit, true), func() (err error) { page, of, err = res.rows(q); return err }); err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"rows": page, "of": of, "all": len(res.entries), "offset": q.offset,
		"table": res.shownColumns()})
}

// sorting runs f, which needs n bytes of memory. At most two run at a time, because each takes time for every row.
func (s *Server) sorting(r *http.Request, n int64, f func() error) error {
	if err := s.sorters.enter(r); err != nil {
		return err
	}
	defer s.sorters.free()
	return s.memory.during(r.Context(), n, "ask for fewer rows, or for a file", f)
}

func (s *Server) asked(r *http.Request) (res *result, q query, release func(), err error) {
	q, err = queryOf(r.URL.Query())
	var j *job
	if err == nil {
		j, err = s.queue.find(r.PathValue("id"))
	}
	if err == nil {
		res, release, err = j.use()
	}
	return res, q, release, err
}
