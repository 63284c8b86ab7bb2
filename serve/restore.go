package serve

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"slices"

	"pacia/internal/atomicfile"
	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

func unusable(what string) problem {
	return problem{Status: http.StatusUnprocessableEntity, What: "the saved results cannot be used: " + what, Fix: "rank again"}
}

var damaged = unusable("they are damaged")

// restore loads the saved results of a form into a ranker. Inputs is the digest of the form. The caller
// closes the file of rows that restore returns.
func (s *Server) restore(j *job, r *screen.Ranker, inputs string) (rows *os.File, err error) {
	if err := r.Parse(j.ctx, s.options.Model); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(j.form.results.readerAt(), j.form.results.size)
	if err != nil {
		return nil, unusable("they are cut or damaged")
	}
	v, err := s.described(j.ctx, z, inputs, r)
	if err != nil {
		return nil, err
	}
	f, err := atomicfile.Nameless(temporary())
	if err != nil {
		return nil, err
	}
	if err := s.refill(j, r, z, v, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	j.update(func() {
		of := supportOf(r.Support)
		j.facts.Findings, j.facts.Support, j.facts.Trust, j.facts.Panel = v.Facts.Findings, &of, v.Facts.Trust, v.Facts.Panel
		j.facts.Batch, j.facts.Lack, j.facts.Changed, j.facts.Filters = v.Facts.Batch, v.Facts.Lack, v.Facts.Changed, v.Facts.Filters
		j.facts.Origin = &v.Origin
	})
	return f, nil
}

// described reads and checks the description of saved results.
func (s *Server) described(ctx context.Context, z *zip.Reader, inputs string, r *screen.Ranker) (*saved, error) {
	var text bytes.Buffer
	if err := unpack(z, savedAbout, largestAbout, &text); err != nil {
		return nil, err
	}
	v := new(saved)
	if err := json.Unmarshal(text.Bytes(), v); err != nil || v.Format != savedFormat {
		return nil, unusable("they are not those of a ranking")
	}
	if v.Version > savedVersion {
		return nil, unusable("a later version of pacia wrote them")
	}
	header := r.Table.Header
	switch {
	case v.Inputs != inputs:
		return nil, unusable("they belong to other files or settings")
	case v.Support != digestOf(r.Support):
		return nil, unusable("this version of pacia reads the labelled molecules in another way")
	case v.Facts.Trust == nil || len(v.Kept.Header) < len(header) || !slices.Equal(v.Kept.Header[:len(header)], header),
		len(v.Kept.Header) > ranking.MostColumns, v.Kept.Ranked < 1, v.Kept.Unread < 0, v.Kept.Bytes < 0, !v.explained(ctx):
		return nil, damaged
	case v.Kept.Ranked > s.options.MaxRows:
		return nil, unusable("they have more than " + ui.Grouped(s.options.MaxRows) + " rows")
	}
	return v, nil
}

// explained reports whether the reasons and picks are possible for the molecules that they name and the number of rows.
func (v *saved) explained(ctx context.Context) bool {
	if len(v.Reasons) > why.Most || len(v.Picked) > v.Kept.Ranked || v.Pool < 0 || v.Pool > v.Kept.Ranked {
		return false
	}
	check := why.NewChecker(ctx)
	for _, r := range v.Reasons {
		if check.Check(r) != nil {
			return false
		}
	}
	for _, place := range v.Picked {
		if place < 1 || place > len(v.Picked) {
			return false
		}
	}
	return true
}

// unpack copies an entry of at most this many bytes.
func unpack(z *zip.Reader, name string, most int64, to io.Writer) error {
	f, err := z.Open(name)
	if err != nil {
		return unusable("they lack a part, " + name)
	}
	defer f.Close()
	n, err := io.Copy(to, io.LimitReader(f, most+1))
	switch {
	case n > most:
		return unusable("they are larger than " + ui.Bytes(most))
	case err != nil:
		return unusable("they are cut or damaged")
	}
	return nil
}

// refill unpacks the rows into a file, checks them, and passes them to a ranker.
func (s *Server) refill(j *job, r *screen.Ranker, z *zip.Reader, v *saved, f *os.File) error {
	var unread bytes.Buffer
	if err := errors.Join(unpack(z, savedRows, largestSaved, f), unpack(z, savedUnreadables, largestAbout, &unread)); err != nil {
		return err
	}
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size != v.Kept.Bytes {
		return damaged
	}
	if err := r.Restore(screen.Gathered{Kept: v.Kept, Rows: f, Unreadables: &unread}); err != nil {
		return damaged
	}
	r.Spill.Picked, r.Pool, r.Spill.Uncertainty = v.Picked, v.Pool, v.Unsure
	r.State(v.Reasons)
	if v.Near {
		r.Spill.Named = r.Support.Called
	}
	rows := 0
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if rows++; !v.sound(row, len(r.Support.SMILES)) {
			return damaged
		}
		return j.ctx.Err()
	})
	switch {
	case j.ctx.Err() != nil:
		return j.ctx.Err()
	case err != nil || rows != v.Kept.Ranked:
		return damaged
	}
	return nil
}

// sound reports whether the values of a row are possible in a ranking.
func (v *saved) sound(row ranking.Ranked, support int) bool {
	cells, err := ranking.CellsOf(row)
	inside := func(i int32) bool { return i >= 0 && int(i) < support }
	share := func(all ...float32) bool {
		return !slices.ContainsFunc(all, func(p float32) bool { return !(p >= 0 && p <= 1) })
	}
	finite := func(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
	return err == nil && len(cells) <= len(v.Kept.Header) && row.Cells <= len(v.Kept.Header) &&
		share(row.Probability) && share(row.Each...) && !math.IsNaN(float64(row.LogOdds)) &&
		(!v.Near || inside(row.Near.Active) && inside(row.Near.Inactive) && share(row.Near.ToActive, row.Near.ToInactive)) &&
		finite(row.Uncertainty) && finite(row.Potency.Value) && row.Potency.Low <= row.Potency.High
}
