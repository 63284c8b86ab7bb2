package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// A query selects rows of a result and their order.
type query struct {
	sort       string // rank, name, similarity, active, inactive, domain, uncertainty, or a column of the library
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

// A row is a ranked molecule in answers.
type row struct {
	Rank        int            `json:"rank"`
	Probability float64        `json:"probability"`
	Depth       int32          `json:"depth"`
	InSupport   string         `json:"in_support,omitempty"`
	Name        string         `json:"name,omitempty"`
	SMILES      string         `json:"smiles"`
	Domain      string         `json:"domain,omitempty"`
	Uncertainty *float32       `json:"uncertainty,omitempty"`
	Refined     *bool          `json:"refined,omitempty"`   // scored with vectors of MiniMol; nil if all rows were, or the model has none
	Potency     *potency       `json:"potency,omitempty"`   // if measurements were learnt as numbers
	Predicted   *potency       `json:"predicted,omitempty"` // the same in the unit of the support set, for concentrations
	Pick        int            `json:"pick,omitempty"`      // place among the picks, from 1
	Active      *neighbor      `json:"nearest_active,omitempty"`
	Inactive    *neighbor      `json:"nearest_inactive,omitempty"`
	Group       *screen.Group  `json:"group,omitempty"`
	Selectivity *float32       `json:"selectivity,omitempty"` // by which rows are ranked if there are several assays
	Against     []againstAssay `json:"against,omitempty"`
	Reasons     *why.Reasons   `json:"reasons,omitempty"` // only of the requested number of first rows
	Cells       []string       `json:"cells"`             // of the library's own columns
}

// A neighbor is the most similar support molecule of a class.
type neighbor struct {
	Name     string  `json:"name,omitempty"`
	SMILES   string  `json:"smiles"`
	Tanimoto float32 `json:"tanimoto"`
}

// rows returns a page of the rows that q selects, and the number of all these rows.
func (r *result) rows(q query) (page []row, of int, err error) {
	chosen, err := r.choose(q)
	if err != nil {
		return nil, 0, err
	}
	page = []row{}
	for _, e := range chosen[min(q.offset, len(chosen)):min(q.offset+q.limit, len(chosen))] {
		one, err := r.row(e)
		if err != nil {
			return nil, 0, err
		}
		page = append(page, one)
	}
	return page, len(chosen), nil
}

func (r *result) row(e entry) (row, error) {
	cells, err := r.cells(e)
	if err != nil {
		return row{}, err
	}
	t := r.ranker.Table
	v := row{
		Rank: e.Rank, Probability: r.shown(e.Wanted()), Depth: e.Depth, InSupport: e.Mark.String(), Name: t.NameOf(cells),
		SMILES: strings.TrimSpace(cells[t.SMILES]), Cells: cells,
	}
	if r.near() {
		v.Domain, v.Active, v.Inactive = domainOf(e), r.neighbor(e.Near.Active, e.Near.ToActive), r.neighbor(e.Near.Inactive, e.Near.ToInactive)
	}
	if r.ranker.Spill.Uncertainty {
		v.Uncertainty = &e.Uncertainty
	}
	if r.ranker.Spill.Refined {
		v.Refined = &e.Refined
	}
	if scale := r.ranker.Spill.Scale; scale != nil {
		v.Potency, v.Predicted = potenciesOf(e.Potency, scale)
	}
	if g := r.ranker.Groups; g != nil {
		v.Group = g.Of(cells)
	}
	v.Selectivity, v.Against = r.selective(e)
	v.Reasons = r.ranker.Reasons[e.Number]
	v.Pick = r.ranker.Spill.Picked[e.Number]
	return v, nil
}

func (r *result) neighbor(i int32, tanimoto float32) *neighbor {
	s := r.ranker.Support
	return &neighbor{Name: s.Names[i], SMILES: s.SMILES[i], Tanimoto: tanimoto}
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
			cells, err := r.cells(e)
			if err != nil {
				return nil, err
			}
			t := r.ranker.Table
			holds := where.Holds(cells)
			if !strings.Contains(strings.ToLower(t.NameOf(cells)), q.text) && !strings.Contains(strings.ToLower(cells[t.SMILES]), q.text) {
				continue
			}
			if !holds {
				continue
			}
			if q.groups != "" {
				if group := r.ranker.Groups.Of(cells); group != nil && group.Best != e.Rank {
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
	var page []row
	var of int
	if err := s.sorting(r, res.needs(q.limit, true), func() (err error) { page, of, err = res.rows(q); return err }); err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"rows": page, "of": of, "all": len(res.entries), "offset": q.offset})
}

// sorting runs f, which needs n bytes of memory. At most two run at a time, because each takes time for every row.
func (s *Server) sorting(r *http.Request, n int64, f func() error) error {
	if err := s.sorters.take(r); err != nil {
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
